/** What the scripted model does when it is told something: what an obedient agent does. */
export const scenario = `on <rein-directive id="(dir_[0-9a-f-]+)" do RUN:rein ack $1 --note "understood"\n`

/** The task. The last line is the script that the model plays; the agent that plays it is real. */
export const task = `Add a farewell to greeting.txt.
RUN:cat greeting.txt ;; WAIT:busy ;; RUN:echo 'Good night' >> greeting.txt && cat greeting.txt ;; WAIT:stop ;; SAY:The farewell is in greeting.txt.`

export interface Scene {
  title: string
  text: string
  /** Where the model waits until this was told. */
  gate: string
}

export const scenes: readonly Scene[] = [
  { title: 'The agent is busy. Tell it something:', text: 'Keep the file in alphabetical order.', gate: 'busy' },
  {
    title: 'The agent is about to stop. Tell it something else:',
    text: 'Before you stop, check the spelling too.',
    gate: 'stop',
  },
]
