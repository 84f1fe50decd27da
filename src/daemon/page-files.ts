import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Hono } from 'hono'
import type { Env } from './requests.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

const filePattern = /^\/((?:assets\/)?[A-Za-z0-9_][\w.-]*)$/

/** The page: what `npm run build` has put into the directory. Its files hold nothing of anybody. */
export const servePageFiles = (app: Hono<Env>, directory: string): void => {
  app.get('/', async (c) => {
    const index = await readOrNull(join(directory, 'index.html'))
    if (index === null) return c.text(unbuilt, 503)
    return c.body(new Uint8Array(index), 200, { 'content-type': types['.html'] ?? '', 'cache-control': 'no-store' })
  })
  app.get('*', async (c, next) => {
    const [, file = ''] = filePattern.exec(c.req.path) ?? []
    const type = types[extname(file)]
    if (type === undefined || file === 'index.html') return next()
    const content = await readOrNull(join(directory, file))
    if (content === null) return c.notFound()
    // Files in assets/ have their hash in the name.
    const kept = file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store'
    return c.body(new Uint8Array(content), 200, { 'content-type': type, 'cache-control': kept })
  })
}

const unbuilt = 'This Rein was built without its page. In its repository, run: npm run build\n'

const readOrNull = async (file: string): Promise<Buffer | null> => {
  try {
    return await readFile(file)
  } catch (cause) {
    if (['ENOENT', 'EISDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null
    throw cause
  }
}
