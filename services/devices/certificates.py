"""The certificates of gateways, an alternative to keys."""

from hashlib import sha256

from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import load_pem_x509_certificate
from cryptography.x509.oid import NameOID

from services.runtime.errors import field_invalid


def digest_of_pem(pem: str, gateway: str) -> str:
    """Return the SHA-256 digest of a certificate.

    Raises:
        ApiError: FIELD_INVALID if the common name is not the ID of the gateway.
    """
    try:
        read = load_pem_x509_certificate(pem.encode())
    except ValueError:
        raise field_invalid("certificate", "it must be one certificate in PEM format") from None
    names = read.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    if [each.value for each in names] != [gateway]:
        raise field_invalid("certificate", "its common name must be the gateway's ID")
    return sha256(read.public_bytes(Encoding.DER)).hexdigest()
