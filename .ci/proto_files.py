"""The compiled proto files with their comments, for the programs here that read them."""

import sys
import tempfile
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_tools import _proto, protoc

PROTO = Path(__file__).resolve().parent.parent / "proto"


def compiled(proto: Path = PROTO) -> list[FileDescriptorProto]:
    """Return our proto files with their comments."""
    included = next(iter(_proto.__path__))
    files = sorted(str(path.relative_to(proto)) for path in (proto / "emeth").rglob("*.proto"))
    with tempfile.NamedTemporaryFile() as made:
        flags = [f"-I{proto}", f"-I{PROTO}", f"-I{included}", "--include_source_info"]
        if protoc.main(["protoc", *flags, f"-o{made.name}", *files]):
            sys.exit("proto/ does not compile")
        return list(FileDescriptorSet.FromString(Path(made.name).read_bytes()).file)
