import type { Question } from '../../src/contract/agent.ts'
import type { HostEvent } from '../../src/contract/host.ts'
import type { Probe } from './probe.ts'

/** Somebody who says yes to everything, and keeps what was asked. */
export const yes = () => {
  const questions: Question[] = []
  const waiting: Question[] = []
  let probe: Probe | null = null
  const answer = (question: Question): void => void probe?.agent.answer(question, { kind: 'allow' })
  const heard = (event: HostEvent): void => {
    if (event.kind !== 'state' || event.question === null) return
    questions.push(event.question)
    if (probe === null) waiting.push(event.question)
    else answer(event.question)
  }
  const meet = (started: Probe): void => {
    probe = started
    for (const question of waiting) answer(question)
  }
  return { questions, heard, meet }
}
