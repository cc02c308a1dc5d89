"""Static files under hashed names, compressed beforehand; imports between modules follow."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStorage(CompressedManifestStaticFilesStorage):
    """Follows `import` statements, so that a changed module gets a new address everywhere."""

    support_js_module_import_aggregation = True
