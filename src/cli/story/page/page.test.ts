import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asReinError } from '../../../contract/errors.ts'
import { tempDir } from '../../../../test/support/builders.ts'
import { sampleStory } from '../../../../test/support/story-samples.ts'
import { storyPage } from './page.ts'
import { writePage } from './write.ts'

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)></style></article><!-- \u202e&amp; \u0007 javascript:x`
const page = storyPage(sampleStory(hostile))

const tags = (html: string): string[] => html.match(/<\/?[a-z][a-z0-9]*/g) ?? []
/** Content of elements that is no markup. */
const withoutRaw = (html: string): string => html.replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '')

describe('the page of a story', () => {
  test('has all that happened', () => {
    const plain = storyPage(sampleStory('Fix the dates'))
    for (const words of [
      'parser-lead',
      'crashed',
      'was denied Edit',
      'Still blocked',
      'npm test Fix the dates (failed: 1)',
    ])
      expect(plain).toContain(words)
  })

  test('is the same markup whatever others wrote', () => {
    expect(tags(withoutRaw(page))).toEqual(tags(withoutRaw(storyPage(sampleStory('words')))))
    expect(page).not.toMatch(/[\u202e\u0007]|<img|alert\(1\)<\/script>/)
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  test('every element is closed, in its order', () => {
    const paired = tags(withoutRaw(page)).filter((tag) => !['<meta', '<input', '<br'].includes(tag))
    const open: string[] = []
    for (const tag of paired)
      if (open.at(-1) === tag.replace('/', '') && tag.startsWith('</')) open.pop()
      else open.push(tag)
    expect(open).toEqual([])
  })

  test('needs nothing from elsewhere, and runs nothing but its own script', () => {
    expect(withoutRaw(page)).not.toMatch(/\b(src|href|srcset|action|style|on[a-z]+)=["']?[^"'&]*["']/)
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).toMatch(/content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'/)
    expect(page).not.toMatch(/url\(|@import|https?:/)
  })
})

describe('writing it', () => {
  const story = sampleStory('words')

  test('a story takes the place of a story', async () => {
    const file = join(tempDir(), 'a.html')
    await writePage(file, sampleStory('before'), false)
    await writePage(file, story, false)
    expect(readFileSync(file, 'utf8')).toBe(storyPage(story))
  })

  test('nothing else is written over, unless that is wanted', async () => {
    const dir = tempDir()
    const [mine, link, directory] = ['mine.html', 'link.html', 'dir.html'].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(mine, '<!doctype html>\nMine.')
    symlinkSync(mine, link)
    mkdirSync(directory)
    for (const file of [mine, link, directory])
      await expect(writePage(file, story, false)).rejects.toMatchObject({ code: 'refused' })
    await expect(writePage(directory, story, false)).rejects.toThrow('is a directory')
    expect([readFileSync(mine, 'utf8'), readdirSync(dir).length]).toEqual(['<!doctype html>\nMine.', 3])
    await writePage(mine, story, true)
    expect(readFileSync(mine, 'utf8')).toBe(storyPage(story))
  })

  test('where it cannot be written is said', async () => {
    const failure = writePage('/nowhere/at/all.html', story, true).catch(asReinError)
    await expect(failure).resolves.toMatchObject({
      message: '/nowhere/at/all.html cannot be written: there is no directory /nowhere/at.',
    })
  })
})
