/** Plays the steps of one reply. */
import { setTimeout as sleep } from 'node:timers/promises'
import { calling, saying, thinking } from './blocks.ts'
import type { Answer } from './director.ts'
import type { Tool } from './received.ts'
import type { Reply } from './reply.ts'
import type { Step } from './script.ts'
import { chooseCall } from './tools.ts'

interface Stage {
  reply: Reply
  /** Offered by the request. */
  tools: readonly Tool[]
  /** Resolves when the named gate is open. */
  gate(name: string): Promise<void>
  /** Aborted when the client went away. */
  gone: AbortSignal
}

export const play = async ({ steps, blocks, after }: Omit<Answer, 'kind'>, stage: Stage): Promise<void> => {
  await after
  if (blocks !== undefined) {
    for (const block of blocks) await stage.reply.add(block)
    return stage.reply.finish()
  }
  for (const step of steps) {
    if (stage.gone.aborted) return
    await playStep(step, stage)
  }
}

const playStep = async (step: Step, stage: Stage): Promise<void> => {
  const { reply } = stage
  switch (step.do) {
    case 'WAIT':
      return stage.gate(step.name)
    case 'THINK':
      return reply.add(thinking(step.text))
    case 'ERROR':
      return reply.fail({ status: step.status, message: step.message ?? `scripted error ${step.status}` })
    case 'LIMIT':
      return reply.fail({ status: 429, message: 'scripted rate limit', retryAfter: step.retryAfter ?? 1 })
    case 'QUOTA':
      return reply.fail({ status: 429, message: 'scripted usage limit', retryAfter: step.seconds, isQuota: true })
    case 'DROP':
      return reply.drop()
    case 'SAY':
      await reply.add(saying(step.text))
      return reply.finish()
    case 'SLOW':
      await reply.add(saying(step.text), (pieces) =>
        sleep((step.seconds * 1000) / pieces, undefined, { signal: stage.gone }),
      )
      return reply.finish()
    default:
      for (const call of step.do === 'PAR' ? step.calls : [step])
        await reply.add(calling(chooseCall(call, stage.tools)))
      return reply.finish()
  }
}
