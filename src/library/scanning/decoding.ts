// What is a text, and how it is read: as shells, Node and editors read it, who take no offence at a zero byte or one that is no UTF-8.
import { isUtf8 } from 'node:buffer'

/** Whether it is read; media are for eyes and ears, and are left alone; of the rest the scan says that it did not read it. */
export type Content = 'text' | 'media' | 'binary'

/** So much of a file is looked at to tell what it is. */
export const BEGINNING_BYTES = 8_192

const SCRIPT = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|py|ps1|psm1|rb|pl|php|bat|cmd|command|lua|applescript)$/i
const PROSE = /\.(?:md|markdown|txt|rst|adoc|html?)$|(?:^|\/)(?:README|CHANGELOG|LICENSE)$/i
const DATA =
  /\.(?:json[5lc]?|ya?ml|toml|ini|cfg|conf|env|properties|xml|svg|csv|tsv|sql|css|pem|key|crt|cer|plist|vue|svelte|gradle|lock|log|tmpl|tpl)$|(?:^|\/)(?:\.\w+|Makefile|Dockerfile|CHECKSUMS)$/i

/** What the name says that it is for: programs run it, people read it, or neither is known. */
export const useOf = (path: string, beginning: Buffer): 'script' | 'prose' | 'data' => {
  if (beginning.subarray(0, 2).toString('latin1') === '#!' || SCRIPT.test(path)) return 'script'
  return PROSE.test(path) ? 'prose' : 'data'
}

const MEDIA_NAME = /\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|[ot]tf|mp[34]|m4a|ogg|wav|flac|webm|mov)$/i
/** How they begin, in Latin-1. */
const MEDIA_BEGINNINGS = [
  ...[
    '\x89PNG\r\n',
    '\xff\xd8\xff',
    'GIF87a',
    'GIF89a',
    'RIFF',
    'wOFF',
    'wOF2',
    'OTTO\0',
    '\0\x01\0\0\0',
    '\0\0\x01\0',
  ],
  ...['ID3', '\xff\xfb', 'OggS', 'fLaC', '\x1a\x45\xdf\xa3'],
]

/** Pictures, sounds and fonts: by name and beginning, so that neither alone hides anything. */
function isMedia(path: string, bytes: Buffer): boolean {
  const beginning = bytes.toString('latin1', 0, 16)
  const isKnown = MEDIA_BEGINNINGS.some((one) => beginning.startsWith(one)) || beginning.slice(4, 8) === 'ftyp'
  return isKnown && MEDIA_NAME.test(path)
}

/** Of a text in another encoding more than this share of bytes is still readable. */
const MOST_UNREADABLE = 0.3

/** What a file is, by its name and its first bytes. A name that programs or people open as a text is one of a text, also where other bytes come first. */
export function contentOf(path: string, bytes: Buffer): Content {
  const beginning = bytes.subarray(0, BEGINNING_BYTES)
  const isNamed = SCRIPT.test(path) || PROSE.test(path) || DATA.test(path)
  if (isNamed || markOf(beginning) || beginning.subarray(0, 2).toString('latin1') === '#!') return 'text'
  if (unreadableIn(beginning) <= MOST_UNREADABLE * beginning.length) return 'text'
  return isMedia(path, beginning) ? 'media' : 'binary'
}

/** How many bytes are control characters or no UTF-8. */
function unreadableIn(beginning: Buffer): number {
  const controls = beginning.reduce((sum, byte) => sum + (byte < 9 || (byte > 13 && byte < 32) ? 1 : 0), 0)
  const broken = beginning.toString('utf8').match(/\ufffd/g)?.length ?? 0
  return controls + broken
}

type Mark = 'utf-16le' | 'utf-16be'

/** UTF-16 is known by its byte order mark. */
function markOf(bytes: Buffer): Mark | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** The text in UTF-8, without zero bytes; what is no UTF-8 becomes U+FFFD. */
export function readable(bytes: Buffer): Buffer {
  const mark = markOf(bytes)
  if (!mark && isUtf8(bytes) && !bytes.includes(0)) return bytes
  const text = mark ? new TextDecoder(mark).decode(bytes) : bytes.toString('utf8')
  return Buffer.from(text.replaceAll('\0', ''))
}
