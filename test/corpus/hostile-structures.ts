// Archives whose headers contradict each other or lead nowhere.
import { automation, type HostileArchive, manifestEntry, noise, refused } from './archive-parts.ts'
import { archiveOfTwentyMebibytesAnd } from './sound-archives.ts'
import { centralEntry, extraField, uint64, type ZipEntry, zip } from './zip-writer.ts'

const script: ZipEntry = { name: 'scripts/list.js', data: 'export default 1\n' }
const unset = 0xffffffff

export const hostileStructures: HostileArchive[] = [
  refused('no entries', /automation\.json: expected at the root/, () => zip([])),
  refused('only the first half', /readable zip archive/, () => {
    const whole = automation([script])
    return whole.subarray(0, whole.length / 2)
  }),
  refused('bytes in front', /central directory where/, () =>
    Buffer.concat([Buffer.from('#!/bin/sh\n'), automation([])]),
  ),
  refused('bytes in front that the offsets know of', /from its first byte/, () =>
    zip([{ ...manifestEntry(), gap: Buffer.from('<script>') }]),
  ),
  refused('bytes behind', /readable zip archive/, () => Buffer.concat([automation([]), Buffer.from('\n')])),
  refused('a second end record in the comment', /central directory where/, () =>
    automation([script], { comment: zip([]) }),
  ),
  refused('fewer entries announced than there are', /nothing behind the entries/, () =>
    automation([script], { entryCount: 1 }),
  ),
  refused('more entries announced than there are', /readable zip archive/, () =>
    automation([script], { entryCount: 3 }),
  ),
  refused('an entry nobody counted', /nothing behind the entries/, () =>
    automation([], { hiddenEntries: centralEntry(script) }),
  ),
  refused('a directory of another size', /central directory where/, () => automation([script], { directorySize: 1 })),
  refused('a directory that starts elsewhere', /central directory where/, () =>
    automation([script], { directoryAt: 1 }),
  ),
  refused('a directory behind the end', /central directory where/, () => automation([], { directoryAt: 0x7fffffff })),
  refused('several disks', /multi-disk/, () => automation([script], { diskNumber: 1 })),
  refused('a zip64 record beyond any file', /readable zip archive/, () =>
    automation([script], { zip64: { recordAt: 2n ** 63n } }),
  ),
  refused('a zip64 record elsewhere', /readable zip archive/, () => automation([script], { zip64: { recordAt: 0n } })),
  refused('a zip64 directory beyond any file', /readable zip archive/, () =>
    automation([script], { zip64: { directoryAt: 2n ** 62n } }),
  ),
  refused('2^63 entries announced by zip64', /at most 2,000 entries/, () =>
    automation([script], { zip64: { entryCount: 2n ** 63n } }),
  ),
  refused('sizes of 2^60 bytes in a zip64 field', /at most 10 MiB/, () =>
    automation([{ ...script, extra: extraField(1, uint64(2n ** 60n, 9)), size: unset, compressedSize: unset }]),
  ),
  refused('a zip64 field that is too short', /readable zip archive/, () =>
    automation([{ ...script, extra: extraField(1, Buffer.alloc(4)), size: unset }]),
  ),
  refused('an extra field longer than its header', /readable zip archive/, () =>
    automation([{ ...script, extra: Buffer.from([9, 9, 99, 0, 1]) }]),
  ),
  refused('2,001 entries', /at most 2,000 entries/, () =>
    automation(Array.from({ length: 2_000 }, (_, index) => ({ name: `f${index}` }))),
  ),
  refused('an archive over 20 MiB', /at most 20 MiB/, () => archiveOfTwentyMebibytesAnd(1)),
  refused('an entry quoted inside another', /do not overlap/, () => {
    const quoted = zip([{ ...script, method: 0 }]).subarray(0, 30 + script.name.length + String(script.data).length)
    const entries = [{ name: 'quote', data: quoted, method: 0 }]
    return automation([...entries, { ...script, method: 0, at: automation(entries).indexOf(quoted) }])
  }),
  refused('an entry that reaches into the next', /do not overlap/, () =>
    zip([{ name: 'a', data: noise(9), method: 0, size: 12, compressedSize: 12 }, manifestEntry()]),
  ),
  refused('an entry that reaches into the central directory', /do not overlap the central/, () =>
    automation([{ name: 'a', data: noise(9), method: 0, size: 12, compressedSize: 12 }]),
  ),
  refused('no local header where one is announced', /readable zip archive/, () => automation([{ ...script, at: 5 }])),
  refused('a local header beyond the end', /readable zip archive/, () => automation([{ ...script, at: 0x7fffffff }])),
  refused('a local header at 2^62', /readable zip archive/, () =>
    automation([{ ...script, at: unset, extra: extraField(1, uint64(2n ** 62n)) }]),
  ),
]
