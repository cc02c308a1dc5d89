/**
 * The shapes of pieces, troops and burnt squares: the only place where they are written.
 *
 * Read by the canvas (paint.js) and by the server (site/pictures/shapes.py), which makes the
 * symbols of the pages and the shared picture of a game from it. Therefore it is JSON, in a template
 * literal, which formatters leave alone.
 *
 * The unit is the side of a square (of Blotto's blocks: the width), the origin its centre, y points
 * down. A figure has `paths` (name → SVG path data), the names of those that make its
 * `outline`, a `shadow` on the ground and `layers`, drawn in their order; joints of lines are round. A layer:
 *   path             the name of a path; of a burnt square also "seams"
 *   fill, stroke     names of colours of css/tokens.css, in camel case
 *   width            [base, share, pixels]: base + max(share, pixels / side in CSS pixels)
 *   cap, dash        as in SVG; round caps if not given
 *   opacity          0 to 1
 *   down             how far it is moved down, in the form of `width`
 *   from, below      drawn only if the side has at least / less than so many device pixels
 * `W` is White's figure, `B` is Black's.
 *
 * A burnt square has one of four `tiles` in one of four `forms` (matrices a, b, c, d); the newest
 * three have `layers`, `glow` and `rims`, older ones the `flat` layers alone. `arrowHead` has its
 * point at the origin and flies towards +x.
 */
/** @type {Shapes} */
export const SHAPES = JSON.parse(`{
  "figures": {
    "amazons": {
      "W": {
        "shadow": {"ellipse": [0.02, 0.426, 0.273, 0.056], "opacity": 0.26},
        "outline": ["body", "halo"],
        "paths": {
          "body": "M-.1457-.044Q-.0705-.1051 .0113-.0581L.0705 .1346 .1767 .3743Q-.0658 .4918-.3149 .3743L-.2115 .1346Z",
          "shade": "M-.0301-.075Q-.0094-.0703 .0113-.0581L.0705 .1346 .1767 .3743Q.0931 .4147 .0094 .4269L-.0188 .144Z",
          "waist": "M-.2115 .1346H.0705",
          "halo": "M.0517-.2179A.1222 .1222 0 1 1-.1927-.2179 .1222 .1222 0 1 1 .0517-.2179Z",
          "head": "M.0376-.2179A.1081 .1081 0 1 1-.1786-.2179 .1081 .1081 0 1 1 .0376-.2179Z",
          "hair": "M-.1664-.1389A.1241 .1241 0 0 1 .0254-.2969C-.0423-.3119-.1175-.2461-.1269-.1897Z",
          "quiver": "M-.3064-.2094-.2143-.2414-.0978 .0961-.1908 .128Z",
          "strap": "M-.2914-.1653-.1993-.1972",
          "feathers": "M-.3008-.2113-.3666-.2884-.3074-.2743-.297-.3316-.2538-.2922-.2162-.3401-.2209-.2395Z",
          "bow": "M.0987-.3119C.2538-.279 .376-.138 .376 .0096 .376 .144 .2914 .2756 .1504 .3179",
          "string": "M.0987-.2978 .0188-.0374",
          "arrowhead": "M.4559 .0096 .376-.0327V.0519Z",
          "arm": "M-.0273-.0243H.3187A.0338 .0338 0 0 1 .3187 .0434H-.0273A.0338 .0338 0 0 1-.0273-.0243Z"
        },
        "layers": [
          {"path": "quiver", "fill": "leather", "stroke": "lightLine", "width": [0, 0.034, 1.2], "from": 30},
          {"path": "strap", "stroke": "lightLine", "width": [0, 0.0272, 0.96], "from": 30},
          {"path": "feathers", "fill": "lightFill", "stroke": "lightLine", "width": [0, 0.0272, 0.96], "from": 30},
          {"path": "bow", "stroke": "lightLine", "width": [0.05, 0.068, 2.4], "from": 19},
          {"path": "bow", "stroke": "lightFill", "width": [0.05, 0, 0], "from": 19},
          {"path": "string", "stroke": "lightLine", "width": [0, 0.0153, 0.54], "from": 19},
          {"path": "bow", "stroke": "lightLine", "width": [0, 0.034, 1.2], "from": 12, "below": 19},
          {"path": "body", "fill": "lightFill"},
          {"path": "shade", "fill": "lightShade"},
          {"path": "body", "stroke": "lightLine", "width": [0, 0.034, 1.2]},
          {"path": "waist", "stroke": "lightLine", "width": [0, 0.036, 1.2], "from": 12},
          {"path": "head", "fill": "lightFill", "stroke": "lightLine", "width": [0, 0.034, 1.2], "from": 12},
          {"path": "hair", "fill": "lightLine", "from": 30},
          {"path": "arrowhead", "fill": "lightLine", "from": 30},
          {"path": "arm", "fill": "lightFill", "stroke": "lightLine", "width": [0, 0.034, 1.2], "from": 19}
        ]
      },
      "B": {
        "shadow": {"ellipse": [0.074, 0.428, 0.267, 0.055], "opacity": 0.26},
        "outline": ["body"],
        "paths": {
          "body": "M.265-.3586Q.1012-.377 .0184-.2988-.0552-.2252-.0644-.124-.0552-.0504-.0782 .0232L-.1702 .382Q.092 .4786 .3238 .4004 .2576 .0784 .207-.1424 .1978-.262 .265-.3586Z",
          "shade": "M.265-.3586Q.1996-.366 .1472-.3577 .1049-.1488 .1426 .06L.1757 .4326Q.2512 .4252 .3238 .4004 .2576 .0784 .207-.1424 .1978-.262 .265-.3586Z",
          "hem": "M-.1242 .2762Q.092 .3544 .276 .2808",
          "band": "M-.1426 .3544Q.092 .4326 .2926 .359",
          "face": "M-.0506-.1884C0-.2252 .0506-.17 .0414-.1056 .0322-.032-.0276-.032-.0506-.0872Z",
          "bow": "M-.1748-.3218C-.1104-.308-.1288-.2344-.184-.1884-.2668-.124-.3312-.0596-.3404 .0204-.3312 .1152-.2852 .1796-.2162 .2808-.1932 .3176-.184 .3452-.184 .3774",
          "string": "M-.138-.2436-.0552-.0072",
          "arrowhead": "M-.4462 .0204-.368-.021V.0618Z",
          "arm": "M-.2981-.0127H.0221A.0331 .0331 0 0 1 .0221 .0536H-.2981A.0331 .0331 0 0 1-.2981-.0127Z"
        },
        "layers": [
          {"path": "body", "stroke": "darkHalo", "width": [0, 0.066, 3.2], "from": 12},
          {"path": "bow", "stroke": "darkLine", "width": [0.055, 0.068, 2.4], "from": 19},
          {"path": "bow", "stroke": "darkFill", "width": [0.055, 0, 0], "from": 19},
          {"path": "string", "stroke": "darkLine", "width": [0, 0.0153, 0.54], "from": 19},
          {"path": "bow", "stroke": "darkLine", "width": [0, 0.034, 1.2], "from": 12, "below": 19},
          {"path": "body", "fill": "darkFill"},
          {"path": "shade", "fill": "darkShade"},
          {"path": "hem", "stroke": "darkTrim", "width": [0.03, 0, 0], "cap": "butt", "from": 30},
          {"path": "band", "stroke": "darkTrim", "width": [0.03, 0, 0], "cap": "butt", "from": 12},
          {"path": "face", "fill": "darkTrim", "from": 12},
          {"path": "body", "stroke": "darkLine", "width": [0, 0.034, 1.2]},
          {"path": "arrowhead", "fill": "darkLine", "from": 30},
          {"path": "arm", "fill": "darkFill", "stroke": "darkLine", "width": [0, 0.034, 1.2], "from": 19}
        ]
      }
    },
    "pincer": {
      "W": {
        "shadow": {"offset": 0.035, "opacity": 0.28},
        "outline": ["body"],
        "paths": {
          "body": "M0-.3492 .36 .2744H-.36Z",
          "left": "M0-.3492 .03 .0744-.36 .2744Z",
          "right": "M0-.3492 .36 .2744 .03 .0744Z",
          "front": "M.03 .0744 .36 .2744H-.36Z",
          "ridges": "M.03 .0744 0-.3492M.03 .0744 .36 .2744M.03 .0744-.36 .2744"
        },
        "layers": [
          {"path": "body", "fill": "lightFill", "below": 20},
          {"path": "left", "fill": "lightFill", "from": 20},
          {"path": "right", "fill": "lightShade", "from": 20},
          {"path": "front", "fill": "lightFill", "from": 20},
          {"path": "front", "fill": "lightShade", "opacity": 0.5, "from": 20},
          {"path": "ridges", "stroke": "lightLine", "width": [0, 0.0162, 0.504], "cap": "butt", "from": 20},
          {"path": "body", "stroke": "lightLine", "width": [0, 0.045, 1.4]}
        ]
      },
      "B": {
        "shadow": {"offset": 0.035, "opacity": 0.28},
        "outline": ["body"],
        "paths": {
          "body": "M.32 0A.32 .32 0 1 1-.32 0 .32 .32 0 1 1 .32 0Z",
          "shade": "M.2263-.2263A.32 .32 0 0 1-.2263 .2263Z",
          "ring": "M.19 0A.19 .19 0 1 1-.19 0 .19 .19 0 1 1 .19 0Z",
          "centre": "M.06 0A.06 .06 0 1 1-.06 0 .06 .06 0 1 1 .06 0Z"
        },
        "layers": [
          {"path": "body", "stroke": "darkHalo", "width": [0, 0.085, 3.2], "from": 12},
          {"path": "body", "fill": "darkFill"},
          {"path": "shade", "fill": "darkShade"},
          {"path": "body", "stroke": "darkLine", "width": [0, 0.045, 1.2]},
          {"path": "ring", "stroke": "darkTrim", "width": [0, 0.045, 1]},
          {"path": "centre", "fill": "darkTrim", "from": 14}
        ]
      }
    },
    "blotto": {
      "W": {
        "outline": ["top"],
        "paths": {
          "top": "M-.43-.3333H.43A.07 .07 0 0 1 .5-.2633V.2633A.07 .07 0 0 1 .43 .3333H-.43A.07 .07 0 0 1-.5 .2633V-.2633A.07 .07 0 0 1-.43-.3333Z",
          "sign": "M-.26 .16 .26-.16"
        },
        "layers": [
          {"path": "top", "fill": "lightShade", "stroke": "lightLine", "width": [0, 0.045, 1.2], "down": [0.08, 0.0225, 0.6]},
          {"path": "top", "fill": "lightFill", "stroke": "lightLine", "width": [0, 0.045, 1.2]},
          {"path": "sign", "stroke": "lightLine", "width": [0, 0.05175, 1.38]}
        ]
      },
      "B": {
        "outline": ["top"],
        "paths": {
          "top": "M-.43-.3333H.43A.07 .07 0 0 1 .5-.2633V.2633A.07 .07 0 0 1 .43 .3333H-.43A.07 .07 0 0 1-.5 .2633V-.2633A.07 .07 0 0 1-.43-.3333Z",
          "sign": "M-.2 .17 .2-.17M-.2-.17 .2 .17"
        },
        "layers": [
          {"path": "top", "stroke": "darkHalo", "width": [0, 0.085, 3.2], "from": 12},
          {"path": "top", "fill": "darkShade", "stroke": "darkLine", "width": [0, 0.045, 1.2], "down": [0.08, 0.0225, 0.6]},
          {"path": "top", "fill": "darkFill", "stroke": "darkLine", "width": [0, 0.045, 1.2]},
          {"path": "sign", "stroke": "darkTrim", "width": [0, 0.05175, 1.38]}
        ]
      }
    }
  },
  "burnt": {
    "tiles": [
      {
        "ash": "M-.4117-.4117-.2506-.4206 .0358-.4117 .2059-.4206 .4117-.4117 .4206-.2059 .4117 .0179 .4206 .179 .4027 .4027 .1969 .4117 .0179 .4206-.2417 .4206-.4027 .4027-.4206 .188-.4117-.0268-.4027-.188Z",
        "char": "M-.3849-.3849-.1343-.3938 .1432-.3759 .3938-.3938 .3759-.0895 .3849 .1611 .3669 .3669 .1432 .3938-.1432 .3759-.3938 .3938-.3759 .1343-.3759-.1701Z",
        "plates": "M.0895-.0358-.3759-.1611-.3759-.1701-.3849-.3849-.1343-.3938 .1432-.3759 .1522-.3759ZM.0716 .1253 .3849 .1969 .3669 .3669 .1432 .3938-.1253 .3759Z",
        "seams": [[0.09, -0.036, -0.376, -0.161], [0.09, -0.036, 0.152, -0.376], [0.09, -0.036, 0.072, 0.125], [0.072, 0.125, 0.385, 0.197], [0.072, 0.125, -0.125, 0.376]]
      },
      {
        "ash": "M-.4117-.4117-.179-.4117-.0358-.4206 .2506-.4027 .4027-.4027 .4206-.2417 .4117 .0179 .4117 .179 .4206 .4206 .188 .4117-.0179 .4117-.1701 .4206-.4206 .4206-.4117 .179-.4296-.0448-.4206-.179Z",
        "char": "M-.3669-.3669-.0895-.3849 .0805-.3669 .3849-.3849 .3849-.1522 .3938 .1343 .3849 .3849 .1164 .3669-.0984 .3849-.3938 .3938-.3938 .0984-.3849-.1164Z",
        "plates": "M.0089 0-.3759-.1611-.3669-.3669-.0895-.3849 .0805-.3669 .1253-.3669ZM.0089 .1253 .3938 .188 .3849 .3849 .1164 .3669-.0984 .3849-.2059 .3938Z",
        "seams": [[0.009, 0, -0.376, -0.161], [0.009, 0, 0.125, -0.367], [0.009, 0, 0.009, 0.125], [0.009, 0.125, 0.394, 0.188], [0.009, 0.125, -0.206, 0.394]]
      },
      {
        "ash": "M-.4117-.4117-.2417-.4206 .0089-.4206 .188-.4206 .4206-.4206 .4117-.2327 .4206 .0089 .4027 .179 .4117 .4117 .2327 .4206 .0089 .4117-.2417 .4206-.4206 .4206-.4206 .2417-.4117-.0268-.4206-.188Z",
        "char": "M-.3938-.3938-.1343-.3669 .0895-.3849 .3669-.3669 .3759-.0895 .3849 .1522 .3938 .3938 .1164 .3669-.179 .3669-.3759 .3759-.358 .1432-.3669-.0984Z",
        "plates": "M.0358-.0895-.3759-.1522-.3938-.3938-.1343-.3669 .0895-.3849 .1611-.3849ZM.0089 .1164 .3849 .1611 .3938 .3938 .1164 .3669-.1074 .3669Z",
        "seams": [[0.036, -0.09, -0.376, -0.152], [0.036, -0.09, 0.161, -0.385], [0.036, -0.09, 0.009, 0.116], [0.009, 0.116, 0.385, 0.161], [0.009, 0.116, -0.107, 0.367]]
      },
      {
        "ash": "M-.4117-.4117-.188-.4117-.0089-.4206 .188-.4296 .4117-.4117 .4206-.188 .4117-.0268 .4027 .1701 .4117 .4117 .2059 .4206 .0089 .4206-.188 .4206-.4296 .4296-.4027 .2327-.4296 .0268-.4206-.2059Z",
        "char": "M-.3669-.3669-.0895-.3849 .179-.3759 .3849-.3849 .3759-.1343 .3938 .1432 .3938 .3938 .1611 .3938-.0984 .3938-.3938 .3938-.3759 .0984-.3669-.179Z",
        "plates": "M.0089-.0805-.3669-.1522-.3669-.179-.3669-.3669-.0895-.3849 .1611-.3759ZM.0537 .1701 .3938 .188 .3938 .3938 .1611 .3938-.0984 .3938-.0984 .3938Z",
        "seams": [[0.009, -0.081, -0.367, -0.152], [0.009, -0.081, 0.161, -0.376], [0.009, -0.081, 0.054, 0.17], [0.054, 0.17, 0.394, 0.188], [0.054, 0.17, -0.098, 0.394]]
      }
    ],
    "forms": [[1, 0, 0, 1], [0, 1, 1, 0], [-1, 0, 0, -1], [0, -1, -1, 0]],
    "layers": [
      {"path": "ash", "fill": "ash"},
      {"path": "char", "fill": "char"},
      {"path": "plates", "fill": "char2"},
      {"path": "seams", "stroke": "crack", "width": [0, 0.016, 0.7], "cap": "butt"}
    ],
    "flat": [{"path": "ash", "fill": "charOld"}],
    "glow": {"path": "seams", "stroke": "ember", "width": [0, 0.02, 1], "cap": "butt"},
    "rims": {
      "ember": {"path": "char", "stroke": "ember", "width": [0, 0.05, 1.8]},
      "rust": {"path": "char", "stroke": "rust", "width": [0, 0.026, 1]}
    }
  },
  "arrowHead": "M0 0-.2 .11-.145 0-.2-.11Z",
  "tooth": "M0-.17 .105 0 0 .17Z"
}`);
