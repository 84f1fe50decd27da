// Trains the weights that the command predictor starts with:
//   node tools/train-commands.mjs HISTORY.jsonl... [--out FILE] [--left-out FILE]
// Each project is learnt as it would be met: from nothing but the projects before it in its file. The second stage is
// trained on what the first says of projects that it was not trained on. Agents and people are trained side by side.
// --left-out writes four more sets of weights, each without every fourth project of a file, for tools/eval-commands.mjs.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bundleTs, loadTs } from '../scripts/load-ts.mjs'

const TARGET = path.join(import.meta.dirname, '../src/features/memory/predict/trained.ts')

const SOURCES = [
  'src/features/memory/predict/predictor.ts',
  'src/features/memory/predict/weights.ts',
  'src/features/memory/predict/template-stage.ts',
  'src/features/memory/predict/text-stage.ts',
  'src/features/memory/eval/replay.ts',
  'src/base/shell/line.ts',
]

const encoded = (weights, step) => {
  const bytes = Buffer.alloc(weights.length * 2)
  for (const [index, weight] of weights.entries())
    bytes.writeInt16LE(Math.max(-32768, Math.min(32767, Math.round(weight / step))), index * 2)
  return bytes.toString('base64')
}

const source = (
  agent,
  person,
) => `/** Made by tools/train-commands.mjs: the weights that rankers start with, 16 bits each. */
export const trained = {
  agent: {
    template:
      '${agent.template}',
    text: '${agent.text}',
  },
  person: {
    template:
      '${person.template}',
    text: '${person.text}',
  },
}
`

async function main() {
  const { weightStep } = await loadTs('src/features/memory/predict/weights.ts')
  const { positionals: files, values } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: TARGET }, 'left-out': { type: 'string' } },
  })
  const bundles = []
  for (const file of SOURCES) bundles.push(await bundleTs(file))
  const trained = (family) =>
    new Promise((resolve, reject) => {
      const job = { bundles, files, family, isMeasured: values['left-out'] !== undefined }
      const worker = new Worker(path.join(import.meta.dirname, 'train-family.mjs'), { workerData: job })
      worker.on('error', reject)
      worker.on('message', resolve)
    })
  const inText = ({ template, text }) => ({ template: encoded(template, weightStep), text: encoded(text, weightStep) })
  const [agents, people] = await Promise.all([trained('agent'), trained('person')])
  const [all, ...leftOut] = agents.map((agent, index) => source(inText(agent), inText(people[index])))
  writeFileSync(values.out, all)
  for (const [fold, weights] of leftOut.entries()) writeFileSync(`${values['left-out']}.${fold}.ts`, weights)
}

await main()
