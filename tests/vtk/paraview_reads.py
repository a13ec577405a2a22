# SPDX-License-Identifier: MIT
"""pvpython paraview_reads.py SERIES...: what ParaView makes of each file, opened as a user does: a line of JSON for each."""
import json
import sys

from paraview import simple


def values_of(array):
    return [array.GetValue(n) for n in range(array.GetNumberOfTuples())] if array else []


def image_at(source, time):
    source.UpdatePipeline(time)
    image = source.GetClientSideObject().GetOutputDataObject(0)  # Fetch() of ParaView 5.11 garbles rectilinear grids
    array = image.GetPointData().GetArray("T")
    content = {"class": image.GetClassName(), "array": array.GetClassName() if array else None, "values": values_of(array)}
    if image.IsA("vtkRectilinearGrid"):
        return content | {"coordinates": [values_of(image.GetXCoordinates()), values_of(image.GetYCoordinates()),
                                          values_of(image.GetZCoordinates())]}
    return content | {"extent": image.GetExtent(), "spacing": image.GetSpacing(), "origin": image.GetOrigin()}


def content_of(file):
    try:
        # OpenDataFile of ParaView 5.11 takes a reader of climate models for all netCDF files
        source = simple.NetCDFReader(FileName=[file]) if ".nc." in file else simple.OpenDataFile(file)
        if source is None:
            return {"error": "no reader"}
        times = list(source.TimestepValues)
        return {"times": times, "images": [image_at(source, time) for time in times]}
    except Exception as error:  # whatever it is, it belongs in the report
        return {"error": str(error)}


for path in sys.argv[1:]:
    print("read " + json.dumps({"file": path, **content_of(path)}), flush=True)
