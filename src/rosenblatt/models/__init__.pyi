from .c_header import export_c as export_c
from .onnx import export_onnx as export_onnx
from .saving import ModelFileError as ModelFileError
from .saving import load_model as load_model
from .saving import save_model as save_model
