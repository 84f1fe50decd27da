import { effect } from '@preact/signals'
import { isOpen, link } from '../link/api.ts'
import { PageWatch } from './page-watch.ts'

const ownFiles = [...document.querySelectorAll('script[src], link[rel="stylesheet"]')].map(
  (element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '',
)

const readDocument = async (): Promise<string> => {
  const response = await fetch('/', { cache: 'no-store' })
  if (!response.ok) throw new Error(`The page was answered with ${response.status}.`)
  return response.text()
}

export const pageWatch = new PageWatch({ readDocument, ownFiles })

effect(() => {
  if (isOpen.value && link.daemon.value !== null) void pageWatch.onBuild(link.daemon.value.build)
})
