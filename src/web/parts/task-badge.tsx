import type { TaskState } from '../../contract/task.ts'

const tones: Record<TaskState, string> = { new: 'calm', running: 'busy', paused: 'wait', stopped: 'off', done: 'off' }

export const TaskBadge = ({ state }: { state: TaskState }) => (
  <span class={`badge badge-${tones[state]}`}>
    <span class="badge-dot" aria-hidden="true" />
    {state}
  </span>
)
