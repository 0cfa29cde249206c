"""Messages of the API from structs of the domain and the read models, and back."""
