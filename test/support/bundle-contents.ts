/** All that is in a bundle, as somebody sees it who takes it apart. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { packName } from '../../src/features/sessions/bundles/container.ts'

/** The entries of a container, read by another hand than the one that is tested. */
export const entriesOf = (file: string): Map<string, Buffer> => {
  const raw = readFileSync(file)
  const data = gunzipSync(raw.subarray(raw.indexOf(10) + 1))
  const entries = new Map<string, Buffer>()
  for (let at = 0; at < data.length; ) {
    const end = at + 2 + data.readUInt16BE(at)
    const size = Number(data.readBigUInt64BE(end))
    entries.set(data.toString('latin1', at + 2, end), data.subarray(end + 8, end + 8 + size))
    at = end + 8 + size
  }
  return entries
}

/** The file as it is, everything in it unpacked, and every object of its pack. */
export const allBytesOf = (file: string): string => {
  const entries = entriesOf(file)
  const parts = [readFileSync(file), ...entries.values(), objectsIn(entries.get(packName))]
  return parts.map((part) => part.toString('latin1')).join('\n')
}

const objectsIn = (pack: Buffer | undefined): Buffer => {
  if (pack === undefined) return Buffer.alloc(0)
  const dir = mkdtempSync(join(tmpdir(), 'rein-pack-'))
  try {
    const git = (...args: string[]): Buffer => execFileSync('git', ['-C', dir, ...args], { maxBuffer: 2 ** 28 })
    git('init', '-q', '--bare', '.')
    writeFileSync(join(dir, 'objects/pack/pack-1.pack'), pack)
    git('index-pack', 'objects/pack/pack-1.pack')
    return git('cat-file', '--batch', '--batch-all-objects')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
