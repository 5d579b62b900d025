"""What a Python says of itself, for R: started by `install_eagercore()` and `eagercore_sitrep()`.

Without arguments: `name=value` lines. With requirements as arguments: a line `met:<requirement>` for each that is
installed in a version that fits.
"""

import glob
import importlib
import os
import sys


def shared_library():
    """The file of Python's shared library, or an empty text."""
    import sysconfig

    version = ".".join(str(part) for part in sys.version_info[:2])
    places = [sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("LIBPL"), sys.base_prefix]
    for place in places:
        for suffix in ("so*", "dylib"):
            found = glob.glob(os.path.join(place or "", "libpython" + version + "." + suffix))
            if found:
                return found[0]
    if os.name == "nt":
        return sys.executable
    return ""


def has(*modules):
    """Whether these modules can be imported."""
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError:
        return False
    return True


def version_of(package):
    """The installed version of a package, or an empty text."""
    try:
        from importlib import metadata
    except ImportError:  # a Python far too old for the engine still says its version
        return ""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def fits(requirement):
    """Whether what is installed meets a requirement as pip writes it."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        from pip._vendor.packaging.requirements import Requirement
    parsed = Requirement(requirement)
    installed = version_of(parsed.name)
    return bool(installed) and parsed.specifier.contains(installed, prereleases=True)


def main():
    """Prints the account, or which requirements are met."""
    if len(sys.argv) > 1:
        for requirement in sys.argv[1:]:
            if fits(requirement):
                print("met:" + requirement)
        return
    print("version=" + ".".join(str(part) for part in sys.version_info[:3]))
    print("executable=" + sys.executable)
    print("prefix=" + sys.prefix)
    print("libpython=" + shared_library())
    print("venv=" + ("yes" if has("venv", "ensurepip") else "no"))
    for package in ("numpy", "onednn-cpu-gomp", "Pillow", "h5py", "safetensors", "jax", "onnx"):
        print("package:" + package + "=" + version_of(package))


main()
