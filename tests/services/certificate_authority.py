"""An authority of the tests' own, whose certificates last for two days."""

from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class CertificateAuthority(NamedTuple):
    """Who signs certificates: its own is what the others trust."""

    key: ec.EllipticCurvePrivateKey
    pem: bytes

    def signed(
        self, name: str, *, own: bool = False, hosts: tuple[str, ...] = ()
    ) -> tuple[bytes, bytes]:
        """A certificate for 127.0.0.1, and for hosts, of this name, and its key."""
        key = self.key if own else ec.generate_private_key(ec.SECP256R1())
        now, address = datetime.now(UTC), x509.IPAddress(IPv4Address("127.0.0.1"))
        made = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "shop")]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=own, path_length=None), critical=True)
            .add_extension(
                x509.SubjectAlternativeName([address, *map(x509.DNSName, hosts)]), critical=False
            )
            .sign(self.key, SHA256())
        )
        written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return made.public_bytes(Encoding.PEM), written


def new_authority() -> CertificateAuthority:
    """One with a key of its own."""
    bare = CertificateAuthority(ec.generate_private_key(ec.SECP256R1()), b"")
    return bare._replace(pem=bare.signed("shop", own=True)[0])
