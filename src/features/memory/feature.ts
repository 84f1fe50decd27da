import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { HookCall, HookReply } from '../../contract/hooks.ts'
import type { memoryRoutes } from '../../contract/routes/memory.ts'
import { findDriver } from '../../drivers/registry.ts'
import { Capture } from './capture/capture.ts'
import { GitStates } from './capture/git-state.ts'
import { Remembered } from './capture/remembered.ts'
import { Memory } from './memory.ts'
import { redact } from '../../base/redact/redact.ts'
import { onBeat } from '../../base/util/beat.ts'
import type { Feature } from '../feature.ts'
import { createAdvice } from './advice.ts'
import { ephemeralAgents } from './ephemeral-agents.ts'
import { memoryHandlers } from './handlers.ts'
import { memoryTools } from './mcp-tools.ts'
import { Recall } from './recall.ts'
import { Shells } from './shells.ts'

interface MemoryApi {
  /** A hook's call is decided: what is denied does not run, what is rewritten runs otherwise. */
  conclude(call: HookCall, reply: HookReply): void
}

const shellsMs = 2_000
const saveMs = 10 * 60 * 1000
/** A file is worth writing for so many new commands; fewer are learnt again at the next start. */
const worthSaving = 2_000

/** Commands that agents and people run come in, advice goes out. */
export const memory: Feature<'memory', typeof memoryRoutes, object, MemoryApi> = {
  name: 'memory',
  create: (base, agents) => {
    const { paths, reader, log, append, settings, now, newId } = base
    const { projects, finder } = agents
    const onTrouble = base.troubleIn('memory')
    const all = new Memory({
      reader,
      append,
      redact,
      file: join(paths.state, 'memory.bin'),
      keep: settings['memory.keep'],
      now,
      newId,
      checkpoint: () => log.checkpoint(),
      onTrouble,
    })
    const remembered = new Remembered({ isEphemeral: settings['memory.ephemeral'], home: homedir(), now })
    const isEphemeral = ephemeralAgents(base, agents)
    const capture = createCapture(base, agents, { memory: all, remembered, isEphemeral, onTrouble })
    const { adviser, responder } = createAdvice(base, agents, { memory: all, remembered, capture, isEphemeral })
    const shells = new Shells({ dir: paths.shells, memory: all, remembered, projects, onTrouble })
    const recall = new Recall({ memory: all, adviser, capture, shells, projects, reader, settings, now })
    const beats: (() => void)[] = []
    return {
      handlers: memoryHandlers(base, agents, {
        memory: all,
        adviser,
        remembered,
        shells,
        recall,
        forgetCopies: base.forgetCopies,
      }),
      responders: [responder],
      watchers: [{ onEntry: (agent, entry) => capture.read(agent, entry) }],
      mcpTools: memoryTools(recall, finder),
      // Before an agent tells of a command: what is in the table by now is learnt from there.
      open: () => {
        void all.open().catch(onTrouble)
        beats.push(
          onBeat(shellsMs, () => void shells.take().catch(onTrouble)),
          onBeat(saveMs, () => {
            all
              .trim()
              .then(() => all.save(worthSaving))
              .catch(onTrouble)
          }),
        )
      },
      stop: () => {
        for (const end of beats) end()
        return all.save()
      },
      api: {
        conclude: (call, { decision }) => {
          if (decision?.kind === 'deny') capture.refuse(call)
          else if (decision?.input !== undefined) capture.rewrite(call, decision.input)
        },
      },
    }
  },
}

interface CaptureParts {
  memory: Memory
  remembered: Remembered
  isEphemeral: (agent: string) => boolean
  onTrouble: (cause: unknown) => void
}

const createCapture = (
  { now, settings }: Base,
  { supervisor }: Agents,
  { memory: all, remembered, isEphemeral, onTrouble }: CaptureParts,
): Capture => {
  const git = new GitStates({ now })
  return new Capture({
    driver: findDriver,
    agent: (id) => supervisor.get(id),
    isKnown: (id) => all.isKnown(id),
    isRemembered: (command, cwd, agent) =>
      settings['memory.feed'] && remembered.takes(command, cwd) && !isEphemeral(agent),
    git: (cwd) => git.of(cwd),
    record: (heard) => void all.takeNow(heard).catch(onTrouble),
    takeBack: (id) => void all.takeBack(id).catch(onTrouble),
    now,
  })
}
