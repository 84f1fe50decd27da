import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Proposal, RulesLearnt } from '../../contract/outputs/rule-tools.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { inOrder, recordedAgents } from './recorded.ts'
import { rulesHere } from './rules-here.ts'
import { learntText } from './text.ts'

export const run = async (
  context: CliContext,
  { since = context.now() - 30 * 86_400_000, write = false, json }: { since?: number; write?: boolean } & JsonFlag,
): Promise<void> => {
  const { out, cwd } = context
  const { root } = await rulesHere(context)
  const found = await proposed(context, root, since).finally(() => out.status(''))
  const proposals = write
    ? await Promise.all(
        found.map(async (each) => {
          // Where no rule is in force; what a person has written or changed there stays.
          const file = path.join(root, '.rein/rules/proposed', `${each.name}.yaml`)
          await mkdir(path.dirname(file), { recursive: true })
          await writeFile(file, each.yaml, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
            if (cause.code !== 'EEXIST') throw cause
          })
          return { ...each, file }
        }),
      )
    : found
  const learnt: RulesLearnt = { since, proposals }
  if (json) out.document(learnt)
  else out.line(learntText(learnt, cwd(), out))
}

const topics = ['directives', 'turns', 'commands'] as const

const proposed = async (context: CliContext, root: string, since: number): Promise<Proposal[]> => {
  const { Listener } = await import('../../features/rules/learn/listener.ts')
  const agents = await recordedAgents(context)
  const listener = new Listener({ agents, ids: agents.within(root), since, root })
  const client = context.connect()
  context.out.status('Reading what happened')
  for await (const record of inOrder(topics.map((topic) => client.tail({ topic })))) listener.add(record)
  return listener.proposals()
}
