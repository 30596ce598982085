// Tiles of the log (c2sp.org/tlog-tiles): 256 hashes of one level in a row. A tile is kept as hex, with the sixteen nodes in its middle,
// so that a proof hashes a few dozen nodes and no whole tiles.
import { concat, fromHex, toHex, utf8 } from './bytes.ts'
import { HASH_BYTES, nodeHash } from './merkle.ts'
import { joinedHash, type Subtree } from './tree.ts'

export const TILE_WIDTH = 256
const TILE_HEIGHT = 8
/** Hashes below a node that is kept. */
const GROUP = 16
const DIGITS = 2 * HASH_BYTES

export interface TileName {
  level: number
  number: number
}

export interface Tile extends TileName {
  /** In hex, one after the other. */
  hashes: string
  /** The roots of every sixteen of them that are complete, in hex. */
  middle: string
}

export const widthOf = ({ hashes }: Pick<Tile, 'hashes'>): number => hashes.length / DIGITS

/** The root of a power of two of hashes. */
function perfect(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes
  while (row.length > 1) {
    row = Array.from({ length: row.length / 2 }, (_, index) =>
      nodeHash(row[2 * index] as Uint8Array, row[2 * index + 1] as Uint8Array),
    )
  }
  return joinedHash(row)
}

function some(hex: string, from: number, count: number): Uint8Array[] {
  const bytes = fromHex(hex.slice(from * DIGITS, (from + count) * DIGITS))
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES))
}

/** The root of `count` hashes of a tile from `from`, a power of two that is in step with it. */
export function rootWithin({ hashes, middle }: Tile, from: number, count: number): Uint8Array {
  return count < GROUP ? perfect(some(hashes, from, count)) : perfect(some(middle, from / GROUP, count / GROUP))
}

/** The tile with the next hashes; at most so many that it is full. */
export function extended(tile: Tile, added: readonly Uint8Array[]): Tile {
  const hashes = tile.hashes + added.map(toHex).join('')
  let { middle } = tile
  for (let group = widthOf({ hashes: middle }); (group + 1) * GROUP <= widthOf({ hashes }); group++) {
    middle += toHex(perfect(some(hashes, group * GROUP, GROUP)))
  }
  return { ...tile, hashes, middle }
}

export const emptyTile = (name: TileName): Tile => ({ ...name, hashes: '', middle: '' })

/** Where a complete subtree is: its tile, and which of its hashes. */
export function placeOf({ height, number }: Subtree): TileName & { from: number; count: number } {
  const level = Math.floor(height / TILE_HEIGHT)
  const count = 2 ** (height % TILE_HEIGHT)
  const first = number * count
  return { level, number: Math.floor(first / TILE_WIDTH), from: first % TILE_WIDTH, count }
}

/** How many hashes a level has in a tree of this size. */
export const hashesOfLevel = (size: number, level: number): number => Math.floor(size / TILE_WIDTH ** level)

/** The tiles at the right edge of a tree, lowest level first: those that are not full. */
export function edgeOf(size: number): TileName[] {
  const names: TileName[] = []
  for (let level = 0; hashesOfLevel(size, level) > 0; level++) {
    const hashes = hashesOfLevel(size, level)
    if (hashes % TILE_WIDTH > 0) names.push({ level, number: Math.floor(hashes / TILE_WIDTH) })
  }
  return names
}

/** The root of a tree, out of the tiles at its right edge, lowest level first. */
export function rootOfEdge(edge: readonly Tile[]): Uint8Array {
  const hashes = [...edge].reverse().flatMap((tile) => {
    const found: Uint8Array[] = []
    const width = widthOf(tile)
    for (let from = 0, count = TILE_WIDTH / 2; count >= 1; count /= 2) {
      if ((width & count) === 0) continue
      found.push(rootWithin(tile, from, count))
      from += count
    }
    return found
  })
  return joinedHash(hashes)
}

/** `x001/x234/067` for 1234067. */
export function pathOf(number: number): string {
  const digits = String(number)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? []
  return groups.map((group, index) => (index < groups.length - 1 ? `x${group}` : group)).join('/')
}

/** A tile or a bundle of entries, as a path names it. */
export interface TilePath {
  level: number | 'entries'
  number: number
  /** 256 for a full one. */
  width: number
}

const TILE_PATH = /^(entries|0|[1-9]|[1-5]\d|6[0-3])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** Reads what follows `tile/` in a path; undefined where that is not the one way to write it. */
export function readTilePath(text: string): TilePath | undefined {
  const [, level = '', path = '', partial] = text.match(TILE_PATH) ?? []
  const number = Number(path.replace(/[x/]/g, ''))
  const width = partial === undefined ? TILE_WIDTH : Number(partial)
  if (level === '' || !Number.isSafeInteger(number) || pathOf(number) !== path) return undefined
  if (partial !== undefined && width >= TILE_WIDTH) return undefined
  return { level: level === 'entries' ? level : Number(level), number, width }
}

/** Whether a tree of this size has the tile. */
export function hasTile(size: number, { level, number, width }: TilePath): boolean {
  return number * TILE_WIDTH + width <= hashesOfLevel(size, level === 'entries' ? 0 : level)
}

/** The first hashes of a tile, as bytes. */
export const tileBytes = ({ hashes }: Pick<Tile, 'hashes'>, width: number): Uint8Array =>
  fromHex(hashes.slice(0, width * DIGITS))

/** Entries as a bundle: each with its length in two bytes before it. */
export const bundleBytes = (texts: readonly string[]): Uint8Array =>
  concat(
    ...texts.flatMap((text) => {
      const bytes = utf8(text)
      return [Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes]
    }),
  )

/** The entries of a bundle; undefined where it is cut off. */
export function entriesOf(bytes: Uint8Array): Uint8Array[] | undefined {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))
    if (end > bytes.length) return undefined
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  return entries
}
