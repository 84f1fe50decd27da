import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file of the user alone that leads a browser to the page: the command line of a browser is for every user to see, so
 * it gets the name of this file, and not the code.
 */
export const writeOpener = (directory: string, url: string): string => {
  const file = join(directory, `open-${randomBytes(8).toString('hex')}.html`)
  writeFileSync(file, openerText(url), { mode: 0o600, flag: 'wx' })
  return file
}

const openerText = (url: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${url}">
<title>Rein</title>
<p><a href="${url}">Open the page</a></p>
`

export const removeOpener = (file: string): void => rmSync(file, { force: true })

/** Those of a daemon that was killed: their codes ended with it. */
export const removeOldOpeners = (directory: string): void => {
  for (const name of readdirSync(directory))
    if (/^open-[0-9a-f]{16}\.html$/.test(name)) removeOpener(join(directory, name))
}
