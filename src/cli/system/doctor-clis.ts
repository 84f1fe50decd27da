import type { DoctorCheck, DoctorView } from '../../contract/routes/daemon.ts'
import type { Driver } from '../../drivers/contract.ts'
import { installCommand } from '../../drivers/login.ts'
import { isAtLeast } from '../../drivers/version.ts'

type DriverView = DoctorView['drivers'][number]

/** One line for each CLI. Only the one that `rein up` starts is needed; `usual` is its name. */
export const checkClis = (
  views: readonly DriverView[],
  usual: string,
  find: (name: string) => Driver,
): DoctorCheck[] => {
  const obstacleOf = (view: DriverView): Obstacle | null => {
    const driver = find(view.name)
    const { title, version, path, minVersion, login, hooks } = view
    if (version === null) return { detail: `${title} is not installed.`, hint: `Install it: ${installCommand(driver)}` }
    if (!isAtLeast(version, minVersion))
      return {
        detail: `${title} ${version} at ${path} is older than ${minVersion}.`,
        hint: `Upgrade it: ${installCommand(driver)}@latest`,
      }
    if (login === 'none')
      return { detail: `${title} ${version}: no login found.`, hint: `Log in: ${driver.login.command}` }
    if (hooks?.fired === false)
      return {
        detail: `${title} ${version}: its hooks do not fire. ${hooks.detail}`,
        hint: `Start it and see whether it asks for something: ${driver.program}`,
      }
    return null
  }
  const others = views.filter((view) => view.name !== usual && obstacleOf(view) === null)
  const instead =
    others[0] === undefined ? '' : `\nOr use ${others[0].title}: rein config set agents.driver ${others[0].name}`
  return views.map((view) => {
    const obstacle = obstacleOf(view)
    const parts = [
      `${view.title} ${view.version ?? ''}`,
      view.login === 'found' ? 'login found' : 'login cannot be told',
      ...(view.hooks?.fired === true ? ['hooks fire'] : []),
      ...(view.capabilities?.['proven']?.tmux === true ? [] : ['an untested version, used with care']),
    ]
    if (obstacle === null) return { name: view.name, ok: true, detail: parts.join(', ') }
    if (view.name !== usual) return { name: view.name, ok: false, optional: true, ...obstacle }
    return {
      name: view.name,
      ok: false,
      detail: `${obstacle.detail} \`rein up\` starts it.`,
      hint: `${obstacle.hint}${instead}`,
    }
  })
}

interface Obstacle {
  detail: string
  hint: string
}
