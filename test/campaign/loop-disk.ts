import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A mounted file system of its own whose power can be cut. */
export interface Disk {
  mountpoint: string
  mount(): void
  unmount(): void
  sync(): void
  /** From now on nothing reaches the device, the journal included. */
  cut(): void
  remove(): void
}

const size = '256M'
/** FS_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH; perl is what has an ioctl on nearly every Linux. */
const cutScript = 'open(F, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl(F, 0x8004587d, $how) or die $!'

const run = (command: string, ...args: string[]): void =>
  void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })

/** An ext4 image behind a loop device: needs root, and a kernel that has loop devices to give. */
export const createDisk = (): Disk => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-power-'))
  const [image, mountpoint] = [join(dir, 'image'), join(dir, 'disk')]
  const disk = {
    mountpoint,
    mount: () => run('mount', '-o', 'loop', image, mountpoint),
    unmount: () => run('umount', mountpoint),
    sync: () => run('sync', '-f', mountpoint),
    cut: () => run('perl', '-e', cutScript, mountpoint),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
  try {
    mkdirSync(mountpoint)
    run('truncate', '-s', size, image)
    run('mkfs.ext4', '-q', '-F', image)
    disk.mount()
    return disk
  } catch (cause) {
    disk.remove()
    throw cause
  }
}
