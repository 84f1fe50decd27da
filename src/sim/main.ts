/** The scripted model as its own process: prints its address as JSON, takes `release <name>` and `await <name>` lines, ends with stdin or SIGTERM. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startSim } from './server.ts'

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { port: { type: 'string' }, scenario: { type: 'string' } } })
  const scenario = values.scenario === undefined ? '' : readFileSync(values.scenario, 'utf8')
  const sim = await startSim({ port: Number(values.port ?? 0), scenario })
  const stop = () => void sim.close().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  createInterface(process.stdin)
    .on('line', (line) => {
      const [, order, name = ''] = /^(release|await) (.+)$/.exec(line) ?? []
      if (order === 'release') sim.release(name)
      if (order === 'await') void sim.reached(name).then(() => console.log(JSON.stringify({ reached: name })))
    })
    .on('close', stop)
  console.log(JSON.stringify({ url: sim.url }))
}

main().catch((error: unknown) => {
  console.error(`scripted model: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
})
