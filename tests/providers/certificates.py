"""Certificates made at test time, and an endpoint that speaks TLS with one."""

import datetime as dt
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from providers.faulty_endpoint import FaultyEndpoint


def self_signed(folder: Path, name: str = "localhost", days: int = 1) -> Path:
    """A file with a key and its certificate for this name, which ends `days` from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    named = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    end = dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    made = (
        x509.CertificateBuilder()
        .subject_name(named)
        .issuer_name(named)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(end - dt.timedelta(days=9))
        .not_valid_after(end)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "server.pem"
    file.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return file


def secured(endpoint: FaultyEndpoint, certificate: Path) -> str:
    """Make an endpoint speak TLS; its base URL."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    endpoint.socket = context.wrap_socket(endpoint.socket, server_side=True)
    return f"https://localhost:{endpoint.server_address[1]}/v1"
