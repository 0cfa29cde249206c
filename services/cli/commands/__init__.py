"""The commands of `emeth`, in the API's words."""
