from .errors import ModelFileError as ModelFileError
from .onnx_export import export_onnx as export_onnx
from .saving import load_model as load_model
from .saving import save_model as save_model
