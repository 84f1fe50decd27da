// Types, lint, format and generated docs, side by side. Changes nothing.
import path from 'node:path'
import { capture } from './spawn.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const tool = (name) => path.join(ROOT, 'node_modules/.bin', name)

const CHECKS = {
  types: [tool('tsc'), '--noEmit'],
  'types of the page': [tool('tsc'), '--noEmit', '-p', 'src/web'],
  lint: [tool('oxlint'), '--type-aware', '--deny-warnings'],
  format: [tool('biome'), 'format'],
  docs: [process.execPath, path.join(ROOT, 'scripts/docs.mjs'), '--check'],
}

async function check([name, [command, ...args]]) {
  const { code, output } = await capture(command, args, { cwd: ROOT })
  console.log(`${code === 0 ? '✓' : '✗'} ${name}\n${output.trim()}`.trim())
  return code === 0
}

const passed = await Promise.all(Object.entries(CHECKS).map(check))
if (passed.includes(false)) process.exitCode = 1
