import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { handlePattern, projectName } from '../../contract/handle.ts'
import type { OwnHost } from '../../contract/agent.ts'
import { call } from '../link/api.ts'
import { pathTo } from '../match-path.ts'
import { Dialog } from '../parts/dialog.tsx'
import { failureText } from '../parts/failure-text.ts'
import { tellFailure, tellSuccess } from '../parts/toast.tsx'
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

const handleWords = 'Small letters, digits, - and _; it begins with a letter or a digit'

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
  const host = text('host') as OwnHost
  // Without a terminal its protocol can tell the text in pieces, as it is said.
  const live = host === 'stream' ? { live: true } : {}
  return call('up', {
    handle: text('handle'),
    driver: text('driver'),
    host,
    request: { cwd: text('cwd'), ...(prompt === '' ? {} : { prompt }), ...live },
  })
}

export const StartDialog = ({ onClose }: { onClose: () => void }) => {
  const error = useSignal('')
  const isBusy = useSignal(false)
  const isShown = useRef(true)
  useEffect(() => () => void (isShown.current = false), [])
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    isBusy.value = true
    try {
      const { project, handle } = await start(new FormData(event.currentTarget as HTMLFormElement))
      // Who has closed it meanwhile is elsewhere by now.
      if (!isShown.current) return tellSuccess(`${handle} is started.`)
      onClose()
      go(pathTo('agent', project, handle))
    } catch (cause) {
      if (!isShown.current) return tellFailure(cause)
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
              title={handleWords}
              onInput={({ currentTarget }) =>
                currentTarget.setCustomValidity(handlePattern.test(currentTarget.value) ? '' : `${handleWords}.`)
              }
              autocomplete="off"
              spellcheck={false}
              defaultValue={freeHandle()}
            />
          </label>
          <SelectField name="driver" label="Agent CLI" options={drivers.map((driver) => [driver, driver])} />
          <SelectField name="host" label="Runs in" options={Object.entries(hosts)} />
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

interface SelectFieldProps {
  name: string
  label: string
  options: readonly (readonly [value: string, words: string])[]
}

const SelectField = ({ name, label, options }: SelectFieldProps) => (
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
