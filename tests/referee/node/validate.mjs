// Prints what Khronos' glTF validator says about a file: node validate.mjs FILE
import {readFile} from 'node:fs/promises';
import validator from 'gltf-validator';

const bytes = new Uint8Array(await readFile(process.argv[2]));
const report = await validator.validateBytes(bytes, {maxIssues: 100});
console.log(JSON.stringify(report.issues));
