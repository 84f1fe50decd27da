import { computed, useSignal } from '@preact/signals'
import { projectName, handlePattern } from '../../contract/handle.ts'
import type { OwnHost } from '../../contract/agent.ts'
import { call } from '../link/api.ts'
import { pathTo } from '../match-path.ts'
import { Dialog } from '../parts/dialog.tsx'
import { attempt } from '../parts/toast.tsx'
import { go } from '../router.ts'
import { agents } from '../store/agents.ts'
import { findPlaces } from '../store/places.ts'

const hosts: Record<OwnHost, string> = {
  pty: 'its own terminal',
  tmux: 'tmux',
  stream: 'no terminal (headless)',
}
const drivers = ['claude', 'codex', 'copilot', 'gemini', 'opencode']

/** Where agents have run, by project. */
const places = computed(() => findPlaces(agents.value ?? []))

const freeHandle = (): string => {
  const taken = new Set((agents.value ?? []).map(({ handle }) => handle))
  for (let number = 1; ; number += 1) if (!taken.has(`worker-${number}`)) return `worker-${number}`
}

export const StartDialog = ({ onClose }: { onClose: () => void }) => {
  const error = useSignal('')
  const isBusy = useSignal(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string): string => String(fields.get(name) ?? '').trim()
    const handle = text('handle')
    if (!handlePattern.test(handle)) {
      error.value = 'A name has small letters, digits, - and _, and begins with a letter or a digit.'
      return
    }
    isBusy.value = true
    const prompt = text('prompt')
    const started = await attempt(() =>
      call('up', {
        handle,
        driver: text('driver'),
        host: text('host') as OwnHost,
        request: { cwd: text('cwd'), ...(prompt === '' ? {} : { prompt }) },
        ...noEnvironment,
      }),
    )
    isBusy.value = false
    if (started === undefined) return
    onClose()
    go(pathTo('agent', started.project, started.handle))
  }
  return (
    <Dialog title="Start an agent" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>Directory</span>
          <input
            name="cwd"
            list="places"
            required
            autocomplete="off"
            spellcheck={false}
            defaultValue={places.value[0]?.path}
          />
          <datalist id="places">
            {places.value.map(({ path, project }) => (
              <option key={path} value={path}>
                {projectName(project)}
              </option>
            ))}
          </datalist>
        </label>
        <div class="form-pair">
          <label class="field">
            <span>Name</span>
            <input name="handle" required autocomplete="off" spellcheck={false} defaultValue={freeHandle()} />
          </label>
          <label class="field">
            <span>Agent CLI</span>
            <select name="driver">
              {drivers.map((driver) => (
                <option key={driver}>{driver}</option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>Runs in</span>
            <select name="host">
              {Object.entries(hosts).map(([host, words]) => (
                <option key={host} value={host}>
                  {words}
                </option>
              ))}
            </select>
          </label>
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

/** A page has no environment: the daemon takes that of the last launch, or its own. */
const noEnvironment = {} as { env: Record<string, string> }
