import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { projectName } from '../../contract/handle.ts'
import { stateWords } from '../../contract/state-words.ts'
import { pathTo } from '../match-path.ts'
import { go, route } from '../router.ts'
import { actionsOf } from '../store/actions.ts'
import { agents, useAgents } from '../store/agents.ts'
import type { Asking } from '../store/ask-again.ts'
import { findCommands } from '../store/find-commands.ts'
import { hasLetterKeys } from '../store/letter-keys.ts'
import { nameOf } from '../store/target.ts'
import { setTheme, themes } from '../store/theme.ts'
import { views } from '../views/index.ts'
import { Modal } from './dialog.tsx'
import { Icon, type IconName } from './icon.tsx'
import { stepIn } from './step-in.ts'
import { useAskAgain } from './use-ask-again.ts'

interface Command {
  /** The same while the list changes. */
  id: string
  name: string
  note: string
  icon: IconName
  /** It ends something: a person says so twice. */
  isHard?: boolean
  run: () => void
}

/** Of the agent that is open first, then views, then all agents. */
const listCommands = (): Command[] => {
  const { params } = route.value
  const all = agents.value ?? []
  const here = all.filter(({ project, handle }) => project === params['project'] && handle === params['handle'])
  const acts = [...here, ...all.filter((agent) => !here.includes(agent))].flatMap((agent) =>
    actionsOf(agent).map(({ name, icon, isHard, run }) => ({
      id: `${name} ${nameOf(agent)}`,
      name: `${name} ${agent.handle}`,
      note: projectName(agent.project),
      icon,
      isHard,
      run: () => void run(),
    })),
  )
  const places = views.flatMap(({ path, title, nav }) =>
    nav === undefined
      ? []
      : [
          {
            id: path,
            name: title({}),
            note: hasLetterKeys.value ? `g ${nav.key}` : '',
            icon: nav.icon,
            run: () => go(path),
          },
        ],
  )
  const people = all.map(({ project, handle, state }) => ({
    id: nameOf({ project, handle }),
    name: handle,
    note: `${projectName(project)} · ${stateWords[state]}`,
    icon: 'right' as const,
    run: () => go(pathTo('agent', project, handle)),
  }))
  const looks = themes.map((theme) => ({
    id: `theme ${theme}`,
    name: `Theme: ${theme}`,
    note: '',
    icon: 'settings' as const,
    run: () => setTheme(theme),
  }))
  const hereActs = acts.slice(0, here.flatMap(actionsOf).length)
  return [...hereActs, ...places, ...people, ...acts.slice(hereActs.length), ...looks]
}

const mostShown = 60

export const Palette = ({ onClose }: { onClose: () => void }) => {
  useAgents()
  const typed = useSignal('')
  /** An id: the list changes as the agents do, and what was selected stays so. Null: the first that there is. */
  const selected = useSignal<string | null>(null)
  const { asking, press, forget } = useAskAgain()
  const found = findCommands(listCommands(), typed.value).slice(0, mostShown)
  const at = found.findIndex(({ id }) => id === selected.value)
  useLayoutEffect(() => {
    selected.value ??= found[0]?.id ?? null
  })
  const choose = (command: Command | undefined): void => {
    if (command === undefined || (command.isHard === true && !press(command.id))) return
    onClose()
    command.run()
  }
  const select = (id: string | null): void => {
    if (id !== selected.value) forget()
    selected.value = id
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key]
    const next = step === undefined || found.length === 0 ? -1 : stepIn(found.length, at, step)
    // A key that is held down is one press.
    if (event.key === 'Enter' && !event.isComposing) choose(event.repeat ? undefined : found[at])
    else if (next >= 0) select(found[next]?.id ?? null)
    else return
    event.preventDefault()
    if (next >= 0) document.getElementById(`command-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const asked = found.find(({ id }) => id === asking?.key)
  return (
    <Modal label="Commands" look="palette" onClose={onClose}>
      <input
        class="palette-input"
        role="combobox"
        aria-label="Find a command, a view or an agent"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={at < 0 ? undefined : `command-${at}`}
        placeholder="Find a command, a view or an agent"
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          select(null)
        }}
        onKeyDown={onKey}
      />
      <div class="palette-list" id="commands" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <CommandRow
            key={command.id}
            id={`command-${index}`}
            command={command}
            isSelected={index === at}
            asking={command === asked ? asking : null}
            onChoose={() => choose(command)}
            onKey={onKey}
            onPoint={() => select(command.id)}
          />
        ))}
        {found.length === 0 ? <p class="palette-none soft">Nothing fits.</p> : null}
      </div>
      <p class="sr-only" role="status">
        {asked === undefined ? '' : `${asked.name}, really?`}
      </p>
    </Modal>
  )
}

interface CommandRowProps {
  id: string
  command: Command
  isSelected: boolean
  asking: Asking | null
  onChoose: () => void
  onKey: (event: KeyboardEvent) => void
  onPoint: () => void
}

const CommandRow = ({ id, command, isSelected, asking, onChoose, onKey, onPoint }: CommandRowProps) => (
  <div
    id={id}
    class="palette-row"
    role="option"
    tabIndex={-1}
    aria-selected={isSelected}
    aria-disabled={asking?.isReady === false}
    onClick={onChoose}
    onKeyDown={onKey}
    onPointerMove={({ movementX, movementY }) => {
      // The list may move below a pointer that does not.
      if (movementX !== 0 || movementY !== 0) onPoint()
    }}
  >
    <Icon name={command.icon} />
    <span class="cut">{asking === null ? command.name : `${command.name}, really?`}</span>
    <span class="palette-note faint small cut">{command.note}</span>
  </div>
)
