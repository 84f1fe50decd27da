// npm run bench [-- hooks guards senders startup footprint delivery supervision broadcast channels team snapshots sessions bundles memory memory-hooks rules rules-check run run-screen web] [--check] [--write]
import { broadcast } from './broadcast.ts'
import { bareBroadcaster, broadcaster } from './broadcaster.ts'
import { bundles } from './bundles.ts'
import { channels } from './channels.ts'
import { delivery } from './delivery.ts'
import { emptyServer } from './empty-server.ts'
import { footprint } from './footprint.ts'
import { guards } from './guards.ts'
import { hooks } from './hooks.ts'
import { isMet, machine, type Topic, toMarkdown } from './measure.ts'
import { memory } from './memory.ts'
import { memoryHooks } from './memory-hooks.ts'
import { memoryModel } from './memory-model.ts'
import { writePage } from './page.ts'
import { rules } from './rules.ts'
import { rulesCheck } from './rules-check.ts'
import { runTopic } from './run.ts'
import { runScreen, runScreenRole } from './run-screen.ts'
import { sender } from './sender.ts'
import { senders } from './senders.ts'
import { sessions } from './sessions.ts'
import { snapshots } from './snapshots.ts'
import { startup } from './startup.ts'
import { subscribers } from './subscribers.ts'
import { supervision } from './supervision.ts'
import { team } from './team.ts'
import { teamPoster } from './team-poster.ts'
import { web } from './web.ts'

const topics: Record<string, Topic> = {
  hooks,
  guards,
  senders,
  startup,
  footprint,
  delivery,
  supervision,
  broadcast,
  channels,
  team,
  snapshots,
  sessions,
  bundles,
  memory,
  'memory-hooks': memoryHooks,
  rules,
  'rules-check': rulesCheck,
  run: runTopic,
  'run-screen': runScreen,
  web,
}
const roles: Record<string, (setting: string) => void> = {
  sender,
  'empty-server': emptyServer,
  broadcaster,
  'bare-broadcaster': bareBroadcaster,
  subscribers,
  'team-poster': teamPoster,
  'memory-model': memoryModel,
  'run-screen': runScreenRole,
}

const main = async (args: string[]): Promise<number> => {
  const flags = args.filter((arg) => arg.startsWith('--'))
  const asked = args.filter((arg) => !arg.startsWith('--'))
  const wrong = [
    ...asked.filter((name) => !(name in topics)),
    ...flags.filter((flag) => !/^--(check|write)$/.test(flag)),
  ]
  if (wrong.length > 0) {
    console.error(`There is no ${wrong.join(', ')}. Possible: ${Object.keys(topics).join(', ')}, --check, --write.`)
    return 2
  }
  let missed = 0
  for (const name of asked.length > 0 ? asked : Object.keys(topics)) missed += await measure(name, flags)
  return missed > 0 && flags.includes('--check') ? 1 : 0
}

/** Runs one topic, shows what it found, and says how many of its goals it missed. */
const measure = async (name: string, flags: string[]): Promise<number> => {
  const topic = topics[name]
  if (topic === undefined) return 1
  const command = `npm run bench -- ${name}`
  const where = machine()
  console.log(`\n## ${topic.title} (${command})\n`)
  const findings = await topic.run()
  const text = `${toMarkdown(findings)}\n\n${where}. \`${command}\``
  console.log(text)
  if (flags.includes('--write')) writePage('docs/benchmarks.md', name, text)
  return findings.goals.filter((goal) => !isMet(goal)).length
}

const [flag, role = '', setting = ''] = process.argv.slice(2)
if (flag === '--as') roles[role]?.(setting)
else process.exitCode = await main(process.argv.slice(2))
