import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { projectName } from '../../contract/handle.ts'
import { stateWords } from '../../contract/state-words.ts'
import { pathTo } from '../match-path.ts'
import { go, route } from '../router.ts'
import { actionsOf } from '../store/actions.ts'
import { agents, useAgents } from '../store/agents.ts'
import { findCommands } from '../store/find-commands.ts'
import { setTheme, themes } from '../store/theme.ts'
import { views } from '../views/index.ts'
import { Icon, type IconName } from './icon.tsx'

interface Command {
  name: string
  note: string
  icon: IconName
  run: () => void
}

/** Of the agent that is open first, then views, then all agents. */
const listCommands = (): Command[] => {
  const { params } = route.value
  const all = agents.value ?? []
  const here = all.filter(({ project, handle }) => project === params['project'] && handle === params['handle'])
  const acts = [...here, ...all.filter((agent) => !here.includes(agent))].flatMap((agent) =>
    actionsOf(agent).map(({ name, icon, run }) => ({
      name: `${name} ${agent.handle}`,
      note: projectName(agent.project),
      icon,
      run: () => void run(),
    })),
  )
  const places = views.flatMap(({ path, title, nav }) =>
    nav === undefined ? [] : [{ name: title({}), note: `g ${nav.key}`, icon: nav.icon, run: () => go(path) }],
  )
  const people = all.map(({ project, handle, state }) => ({
    name: handle,
    note: `${projectName(project)} · ${stateWords[state]}`,
    icon: 'right' as const,
    run: () => go(pathTo('agent', project, handle)),
  }))
  const looks = themes.map((theme) => ({
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
  const selected = useSignal(0)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const found = findCommands(listCommands(), typed.value).slice(0, mostShown)
  const choose = (command: Command | undefined): void => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && !event.isComposing) choose(found[selected.value])
    else if (step !== undefined && found.length > 0)
      selected.value = (selected.value + step + found.length) % found.length
    else return
    event.preventDefault()
    document.getElementById(`command-${selected.value}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Commands"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <input
        class="palette-input"
        role="combobox"
        aria-label="Find a command, a view or an agent"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found.length === 0 ? undefined : `command-${selected.value}`}
        placeholder="Find a command, a view or an agent"
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          selected.value = 0
        }}
        onKeyDown={onKey}
      />
      <div class="palette-list" id="commands" role="listbox" aria-label="Commands">
        {found.map((command, at) => (
          <div
            key={`${command.name} ${command.note}`}
            id={`command-${at}`}
            class="palette-row"
            role="option"
            tabIndex={-1}
            aria-selected={at === selected.value}
            onClick={() => choose(command)}
            onKeyDown={onKey}
            onPointerMove={() => (selected.value = at)}
          >
            <Icon name={command.icon} />
            <span class="cut">{command.name}</span>
            <span class="palette-note faint small cut">{command.note}</span>
          </div>
        ))}
        {found.length === 0 ? <p class="palette-none soft">Nothing fits.</p> : null}
      </div>
    </dialog>
  )
}
