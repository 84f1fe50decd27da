import { useSignal } from '@preact/signals'
import { handlePattern, projectName } from '../../contract/handle.ts'
import type { OwnHost } from '../../contract/agent.ts'
import { call } from '../link/api.ts'
import { pathTo } from '../match-path.ts'
import { Dialog } from '../parts/dialog.tsx'
import { failureText } from '../parts/failure-text.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { go } from '../router.ts'
import { agents } from '../store/agents.ts'

const hosts: Record<OwnHost, string> = {
  pty: 'its own terminal',
  tmux: 'tmux',
  stream: 'no terminal (headless)',
}
const drivers = ['claude', 'codex', 'copilot', 'gemini', 'opencode']

/** The directories of all projects, those with agents first. */
const readPlaces = async (): Promise<{ path: string; project: string }[]> =>
  (await call('projects', {}))
    .toSorted((a, b) => b.agents - a.agents)
    .flatMap(({ project, places }) => places.map((path) => ({ path, project })))

const freeHandle = (): string => {
  const taken = new Set((agents.value ?? []).map(({ handle }) => handle))
  for (let number = 1; ; number += 1) if (!taken.has(`worker-${number}`)) return `worker-${number}`
}

const start = (fields: FormData) => {
  const text = (name: string): string => {
    const value = fields.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const prompt = text('prompt')
  return call('up', {
    handle: text('handle'),
    driver: text('driver'),
    host: text('host') as OwnHost,
    request: { cwd: text('cwd'), ...(prompt === '' ? {} : { prompt }) },
  })
}

export const StartDialog = ({ onClose }: { onClose: () => void }) => {
  const error = useSignal('')
  const isBusy = useSignal(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    isBusy.value = true
    try {
      const { project, handle } = await start(new FormData(event.currentTarget as HTMLFormElement))
      onClose()
      go(pathTo('agent', project, handle))
    } catch (cause) {
      error.value = failureText(cause)
    }
    isBusy.value = false
  }
  return (
    <Dialog title="Start an agent" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <Place />
        <div class="form-pair">
          <label class="field">
            <span>Name</span>
            <input
              name="handle"
              required
              pattern={handlePattern.source}
              title="Small letters, digits, - and _; it begins with a letter or a digit"
              autocomplete="off"
              spellcheck={false}
              defaultValue={freeHandle()}
            />
          </label>
          <Choice name="driver" label="Agent CLI" options={drivers.map((driver) => [driver, driver])} />
          <Choice name="host" label="Runs in" options={Object.entries(hosts)} />
        </div>
        <label class="field">
          <span>First prompt</span>
          <textarea name="prompt" rows={4} placeholder="What is it to do? May stay empty." />
        </label>
        {error.value === '' ? null : (
          <p class="notice notice-bad" role="alert">
            {error.value}
          </p>
        )}
        <div class="row form-end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={isBusy.value}>
            {isBusy.value ? 'Starting …' : 'Start'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const Place = () => {
  const { value: places } = useAnswer('places', readPlaces)
  return (
    <label class="field">
      <span>Directory</span>
      <input name="cwd" list="places" required autocomplete="off" spellcheck={false} defaultValue={places?.[0]?.path} />
      <datalist id="places">
        {(places ?? []).map(({ path, project }) => (
          <option key={path} value={path}>
            {projectName(project)}
          </option>
        ))}
      </datalist>
    </label>
  )
}

interface ChoiceProps {
  name: string
  label: string
  options: readonly (readonly [value: string, words: string])[]
}

const Choice = ({ name, label, options }: ChoiceProps) => (
  <label class="field">
    <span>{label}</span>
    <select name={name}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  </label>
)
