# SPDX-License-Identifier: MIT
"""pvpython paraview_reads.py SERIES...: what ParaView makes of each file, opened as a user does: a line of JSON for each."""
import json
import sys

from paraview import servermanager, simple


def image_at(source, time):
    source.UpdatePipeline(time)
    image = servermanager.Fetch(source)
    array = image.GetPointData().GetArray("T")
    values = [array.GetValue(n) for n in range(array.GetNumberOfTuples())] if array else []
    return {"class": image.GetClassName(), "extent": image.GetExtent(), "spacing": image.GetSpacing(), "origin": image.GetOrigin(),
            "array": array.GetClassName() if array else None, "values": values}


def content_of(file):
    try:
        source = simple.OpenDataFile(file)
        if source is None:
            return {"error": "no reader"}
        times = list(source.TimestepValues)
        return {"times": times, "images": [image_at(source, time) for time in times]}
    except Exception as error:  # whatever it is, it belongs in the report
        return {"error": str(error)}


for path in sys.argv[1:]:
    print("read " + json.dumps({"file": path, **content_of(path)}), flush=True)
