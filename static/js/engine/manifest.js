/** What scripts have to know of the engines: made by `python -m games wasm`. Pure. */
export const MANIFEST = /** @type {Manifest} */ (
{
  "amazons": {
    "digest": "5d9f032ec7c8fa36",
    "arrays": [
      {
        "name": "action",
        "dtype": "int16",
        "length": "edges"
      },
      {
        "name": "static",
        "dtype": "float32",
        "length": "edges"
      },
      {
        "name": "prior",
        "dtype": "float32",
        "length": "edges"
      },
      {
        "name": "mean",
        "dtype": "float32",
        "length": "edges"
      },
      {
        "name": "visits",
        "dtype": "int32",
        "length": "edges"
      },
      {
        "name": "child",
        "dtype": "int32",
        "length": "edges"
      },
      {
        "name": "proof",
        "dtype": "int8",
        "length": "edges"
      },
      {
        "name": "first_edge",
        "dtype": "int32",
        "length": "nodes"
      },
      {
        "name": "edge_count",
        "dtype": "int16",
        "length": "nodes"
      },
      {
        "name": "cut",
        "dtype": "int8",
        "length": "nodes"
      },
      {
        "name": "node_visits",
        "dtype": "int32",
        "length": "nodes"
      },
      {
        "name": "node_value",
        "dtype": "float32",
        "length": "nodes"
      },
      {
        "name": "sizes",
        "dtype": "int64",
        "length": 3
      },
      {
        "name": "keys",
        "dtype": "int64",
        "length": 24576
      },
      {
        "name": "bounds",
        "dtype": "int32",
        "length": 4096
      },
      {
        "name": "turns",
        "dtype": "int64",
        "length": 8400
      },
      {
        "name": "position",
        "dtype": "int64",
        "length": 6
      },
      {
        "name": "path",
        "dtype": "int64",
        "length": 256
      },
      {
        "name": "nodes",
        "dtype": "int64",
        "length": 257
      },
      {
        "name": "params",
        "dtype": "float64",
        "length": 5
      },
      {
        "name": "root",
        "dtype": "int64",
        "length": 6
      },
      {
        "name": "noise",
        "dtype": "float32",
        "length": 160
      },
      {
        "name": "weights",
        "dtype": "float64",
        "length": 60
      }
    ],
    "rowBits": 11,
    "wordBits": 55,
    "rootEdges": 160,
    "nodeEdges": 40,
    "noise": 0.01,
    "depthCounter": 2,
    "noArea": -1,
    "rules": {
      "amazons": {
        "size": 10,
        "isOptional": true,
        "params": [
          0.7,
          4.0,
          40.0,
          1.0,
          0.0
        ],
        "weights": [
          0.87,
          -0.25,
          -0.21,
          0.14,
          -0.26,
          0.6,
          0.25,
          0.01,
          0.05,
          -0.01,
          0.05,
          0.01,
          0.15,
          0.03,
          0.02,
          -0.05,
          0.08,
          0.38,
          0.07,
          0.01,
          0.02,
          -0.04,
          0.08,
          0.56,
          -0.06,
          0.0,
          0.03,
          0.13,
          -0.04,
          0.73,
          0.87,
          -0.25,
          -0.21,
          0.14,
          -0.26,
          0.6,
          0.25,
          0.01,
          0.05,
          -0.01,
          0.05,
          0.01,
          0.15,
          0.03,
          0.02,
          -0.05,
          0.08,
          0.38,
          0.07,
          0.01,
          0.02,
          -0.04,
          0.08,
          0.56,
          -0.06,
          0.0,
          0.03,
          0.13,
          -0.04,
          0.73
        ]
      },
      "amazons-10x10": {
        "size": 10,
        "isOptional": false,
        "params": [
          0.7,
          4.0,
          40.0,
          0.0,
          1.0
        ],
        "weights": [
          0.2841,
          -0.0353,
          0.0003,
          0.0609,
          -0.2016,
          0.4037,
          0.2309,
          0.0037,
          0.0323,
          -0.0106,
          -0.0068,
          0.128,
          0.1454,
          0.0254,
          0.0314,
          -0.0641,
          0.0663,
          0.3086,
          0.0652,
          0.0076,
          0.0216,
          -0.0437,
          0.0777,
          0.6828,
          -0.0362,
          0.001,
          0.0097,
          0.0696,
          -0.0152,
          0.8897,
          0.2951,
          -0.0576,
          0.0044,
          0.0558,
          -0.2049,
          0.4286,
          0.235,
          -0.0301,
          0.0387,
          -0.0091,
          -0.021,
          0.1329,
          0.1451,
          -0.0069,
          0.0422,
          -0.0581,
          0.0492,
          0.2988,
          0.0711,
          0.0002,
          0.027,
          -0.0511,
          0.0744,
          0.6506,
          -0.0242,
          -0.0005,
          0.0077,
          0.0512,
          0.0037,
          0.9906
        ]
      },
      "amazons-8x8": {
        "size": 8,
        "isOptional": false,
        "params": [
          0.7,
          4.0,
          40.0,
          0.0,
          1.0
        ],
        "weights": [
          0.3702,
          -0.0633,
          -0.0524,
          -0.0054,
          -0.243,
          0.4957,
          0.2789,
          0.011,
          0.0012,
          -0.0808,
          0.0693,
          0.1923,
          0.1608,
          0.0178,
          0.0256,
          -0.1015,
          0.1288,
          0.4611,
          0.0013,
          0.0053,
          0.0161,
          0.0428,
          0.0615,
          0.711,
          -0.1209,
          0.0016,
          -0.0087,
          0.235,
          -0.1732,
          0.6606,
          0.3864,
          -0.0427,
          -0.0404,
          -0.0153,
          -0.2367,
          0.5411,
          0.2837,
          -0.0152,
          0.01,
          -0.0818,
          0.0487,
          0.1474,
          0.1652,
          -0.0,
          0.0389,
          -0.102,
          0.1094,
          0.4297,
          0.0395,
          -0.0006,
          0.0146,
          -0.0147,
          0.1063,
          0.7018,
          -0.0805,
          -0.0033,
          -0.0364,
          0.0964,
          -0.0158,
          0.929
        ]
      }
    }
  },
  "pincer": {
    "digest": "79bf7112ca738570",
    "arrays": [
      {
        "name": "frames",
        "dtype": "int64",
        "length": 728
      },
      {
        "name": "steps",
        "dtype": "int64",
        "length": 4368
      },
      {
        "name": "ranks",
        "dtype": "int64",
        "length": 4368
      },
      {
        "name": "owns",
        "dtype": "int64",
        "length": 4368
      },
      {
        "name": "theirs",
        "dtype": "int64",
        "length": 4368
      },
      {
        "name": "killers",
        "dtype": "int64",
        "length": 104
      },
      {
        "name": "history",
        "dtype": "int64",
        "length": 256
      },
      {
        "name": "table",
        "dtype": "int64",
        "length": 1572864
      },
      {
        "name": "counters",
        "dtype": "int64",
        "length": 3
      },
      {
        "name": "no bytes",
        "dtype": "uint8",
        "length": 1
      },
      {
        "name": "no words",
        "dtype": "int64",
        "length": 1
      },
      {
        "name": "position",
        "dtype": "int64",
        "length": 4
      },
      {
        "name": "after",
        "dtype": "int64",
        "length": 6
      }
    ],
    "size": 7,
    "maxMoves": 50,
    "maxDepth": 6,
    "dead": 128,
    "noStep": 255,
    "proven": 15000,
    "fields": {
      "alpha": 4,
      "chosen": 8,
      "now": 13
    },
    "nodeCounter": 0,
    "rules": {
      "pincer": {
        "size": 7
      }
    }
  }
}
);
