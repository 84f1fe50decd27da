import { isOpen } from '../link/api.ts'
import { tellFailure, tellSuccess } from '../parts/toast.tsx'
import { go } from '../router.ts'
import type { AnswerMessage, PageReply, WorkerMessage } from '../worker/notification.ts'
import { answerQuestion, questions } from './questions.ts'
import { takeAnswer } from './take-answer.ts'

const workerPath = '/sw.js'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

const trustOne = (url: string): string => {
  if (url !== workerPath) throw new TypeError(`${url} is no script of this page.`)
  return url
}

/** The only script that may be named by a text: under this policy, a browser refuses all others. */
const trusted = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
const policy = trusted?.createPolicy('rein', { createScriptURL: trustOne }) ?? { createScriptURL: trustOne }

export const hasWorkers = 'serviceWorker' in navigator

let listens = false

/** Keeps the page for times without a network, and takes what is tapped on notifications. */
export const startWorker = async (): Promise<void> => {
  if (!hasWorkers || listens) return
  listens = true
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<WorkerMessage>) => {
    void onMessage(data, ports[0])
  })
  await navigator.serviceWorker.register(policy.createScriptURL(workerPath), { scope: '/' })
}

const onMessage = async (message: WorkerMessage, port: MessagePort | undefined): Promise<void> => {
  if (message.kind === 'open') return go(message.url.replace(/^\/#/, ''))
  const ports = {
    now: Date.now,
    isOpen: () => isOpen.value,
    answer: answerNotified,
    reply: (reply: PageReply) => port?.postMessage(reply),
  }
  const isAnswered = await takeAnswer(ports, message).catch((cause: unknown) => {
    tellFailure(cause)
    return false
  })
  if (isAnswered) tellSuccess(`Answered ${message.question.handle}: ${message.answer}.`)
  else go(message.url.replace(/^\/#/, ''))
}

const answerNotified = ({ answer, question }: AnswerMessage): Promise<boolean> | null => {
  const asked = questions.value?.open.find(
    (one) =>
      one.question.id === question.id && one.agent.handle === question.handle && one.agent.project === question.project,
  )
  return asked === undefined ? null : answerQuestion(asked, answer)
}
