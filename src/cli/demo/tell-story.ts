import type { Priority } from '../../contract/directive.ts'

/** The scripted model acknowledges every directive. */
export const scenario = `on <rein-directive id="(dir_[0-9a-f-]+)" do RUN:rein ack $1 --note "understood"\n`

/** A long deadline keeps hooks on slow machines: while the model waits at a gate, no next hook brings what one has lost. */
export const settings = { REIN_HOOKS_DEADLINE_MS: '4000' }

/** The file that the agent would remove, were it not told in time. */
export const treasure = 'greeting.txt'

export const files = { [treasure]: 'Good morning\n' }

/** The task. The last line is the script that the model plays; the agent that plays it is real. */
export const task = `Add a farewell to ${treasure}.
RUN:cat ${treasure} ;; WAIT:busy ;; RUN:echo 'Good night' >> ${treasure} ;; WAIT:danger ;; RUN:rm ${treasure} ;; WAIT:stop ;; SAY:The farewell is there.`

export interface Scene {
  title: string
  text: string
  priority: Priority
  /** When it is told: the model waits at a gate of this name, the agent is idle, or the daemon was just killed. */
  when: { gate: string } | 'idle' | 'daemon killed'
}

export const scenes: readonly Scene[] = [
  {
    title: 'The agent is busy. Tell it something:',
    text: 'Keep the file in alphabetical order.',
    priority: 'normal',
    when: { gate: 'busy' },
  },
  {
    title: `The agent is about to run "rm ${treasure}". Tell it urgently:`,
    text: 'Do not delete anything.',
    priority: 'urgent',
    when: { gate: 'danger' },
  },
  {
    title: 'The agent is about to stop. Tell it something else:',
    text: 'Before you stop, check the spelling too.',
    priority: 'normal',
    when: { gate: 'stop' },
  },
  { title: 'The agent is idle. Tell it something:', text: 'One more thing.', priority: 'normal', when: 'idle' },
  {
    title: 'The daemon is killed in front of you. Tell the agent all the same:',
    text: 'You are still there.',
    priority: 'normal',
    when: 'daemon killed',
  },
]
