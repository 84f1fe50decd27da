import { signal } from '@preact/signals'

/** What waits in which view, by the path of the view: shown in the navigation. */
export const navBadges = signal<Readonly<Record<string, number>>>({})

export const setNavBadge = (path: string, count: number): void => {
  if (navBadges.value[path] !== count) navBadges.value = { ...navBadges.value, [path]: count }
}
