import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { isObject, parseObject } from '../../../src/base/util/json.ts'
import { seeded } from '../../support/seeded.ts'
import { StandIn } from './agent.ts'

const { values } = parseArgs({
  strict: false,
  options: {
    'plugin-dir': { type: 'string' },
    settings: { type: 'string' },
    'input-format': { type: 'string' },
    'output-format': { type: 'string' },
    'permission-prompt-tool': { type: 'string' },
    'permission-mode': { type: 'string' },
    'session-id': { type: 'string' },
    resume: { type: 'string' },
  },
})

const standIn = new StandIn({
  conversation: String(values['resume'] ?? values['session-id']),
  isResumed: values['resume'] !== undefined,
  plugin: String(values['plugin-dir']),
  truthFile: process.env['CAMPAIGN_TRUTH'] ?? '',
  random: seeded(Number(process.env['CAMPAIGN_SEED'])),
})

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = parseObject(line)?.['message']
  if (isObject(message)) standIn.prompt(String(message['content']))
})
await standIn.start()
