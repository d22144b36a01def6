// Prints the points of a mesh in a .usda file as three.js reads them: node usd.mjs FILE PRIM
import {readFile} from 'node:fs/promises';
import {USDAParser} from 'three/examples/jsm/loaders/usd/USDAParser.js';

const [file, prim] = process.argv.slice(2);
const {specsByPath} = new USDAParser().parseData(await readFile(file, 'utf8'));
const spec = name => specsByPath[`/${prim}.${name}`].fields;
const flat = values => Array.from(values).flat();
const {times, values} = spec('points').timeSamples;
console.log(JSON.stringify({
  times,
  frames: flat(values.map(flat)),
  rest: flat(spec('points').default ?? []),
  counts: flat(spec('faceVertexCounts').default),
  corners: flat(spec('faceVertexIndices').default),
}));
