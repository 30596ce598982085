// Pictures in the texts of other trackers: where they are, and the text with other addresses in their place. Pure: nothing is fetched here.

const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/
const LONGEST_ADDRESS = 2_000
/** `![what it shows](address "title")`, also with a size behind what it shows, as Discourse has it. */
const MARKDOWN = /!\[((?:[^[\]\\\n]|\\.){0,500})\]\([ \t]*<?([^\s()<>]{1,2000})>?(?:[ \t]+"[^"\n]{0,500}")?[ \t]*\)/g
/** GitHub writes pictures of a certain size so. */
const HTML = /<img\b([^<>]{0,2000})>/gi
const SOURCE = /\bsrc\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})')/i
const SHOWS = /\balt\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})')/i
/** An attachment alone on a line is shown as a picture there. */
const ALONE = /^[ \t]*(https:\/\/github\.com\/user-attachments\/assets\/[\w-]{1,100})[ \t]*$/gm
/** Files that are no pictures: links to what the source keeps for its texts. */
const FILES =
  /(?<!!)\[[^[\]\n]{0,500}\]\([ \t]*<?((?:https:\/\/github\.com\/user-attachments\/|upload:\/\/|\/uploads\/)[^\s()<>]{1,2000})/g

const parts = (text: string, change: (plain: string) => string): string =>
  text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('')

/** The whole address of a picture in a text; `of` is that of the thing that the text is of or on. Undefined for what has none. */
export function pictureAddress(named: string, of: string | null | undefined): string | undefined {
  const base = of && URL.canParse(of) ? new URL(of) : undefined
  const resolved = named.startsWith('upload://') ? `/uploads/short-url/${named.slice('upload://'.length)}` : named
  // GitLab has uploads of a project below the address of the project.
  const project = /^(\/.{1,500}?)\/-\//.exec(base?.pathname ?? '')?.[1] ?? ''
  const path = /^\/uploads\/[0-9a-f]{32}\//.test(resolved) ? project + resolved : resolved
  if (!/^(?:https?:)?\/\/|^\//.test(path)) return undefined
  const url = URL.parse(path, base)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return undefined
  url.hash = ''
  return url.href.length > LONGEST_ADDRESS ? undefined : url.href
}

/** A text whose pictures have the addresses that `lead` gives for theirs, and the others stay as they are. */
export function withPictures(text: string, lead: (named: string) => string | undefined): string {
  return parts(text, (plain) =>
    plain
      .replace(MARKDOWN, (whole, shows: string, named: string) => {
        const ours = lead(named)
        return ours === undefined ? whole : `![${shows.replace(/\|\d+x\d+(?:,.*)?$/, '')}](${ours})`
      })
      .replace(HTML, (whole, attributes: string) => {
        const source = SOURCE.exec(attributes)
        const ours = source && lead(source[1] ?? source[2] ?? '')
        const shows = SHOWS.exec(attributes)
        return ours ? `![${(shows?.[1] ?? shows?.[2] ?? '').replace(/[[\]\\\n]/g, ' ')}](${ours})` : whole
      })
      .replace(ALONE, (whole, named: string) => {
        const ours = lead(named)
        return ours === undefined ? whole : `![](${ours})`
      }),
  )
}

/** The addresses of pictures in a text, as it names them, each once. */
export function picturesIn(text: string): string[] {
  const named = new Set<string>()
  withPictures(text, (one) => void named.add(one))
  return [...named]
}

/** How many files a text links that its source keeps. */
export function filesIn(text: string): number {
  let count = 0
  parts(text, (plain) => {
    count += [...plain.matchAll(FILES)].filter(([, named = '']) => !named.includes('/user-attachments/assets/')).length
    return plain
  })
  return count
}

/** Digits of short addresses of Discourse, which are the SHA-1 of a file as a number. */
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MAX_PARTS = 12

/** Paths within an export at which a picture of a text may be, the most exact first. An address of a site has at least two parts of its path. */
export function pathsWithin(named: string): string[] {
  const short = /^upload:\/\/([0-9a-zA-Z]{1,27})(\.\w{1,10})?$/.exec(named)
  if (short) {
    const hash = [...(short[1] ?? '')].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n)
    return [hash.toString(16).padStart(40, '0') + (short[2] ?? '')]
  }
  const { pathname = '' } = URL.parse(named, 'https://export.invalid/') ?? {}
  const parts = plainPath(pathname).split('/').filter(Boolean).slice(-MAX_PARTS)
  const least = /^(?:\w+:)?\/|^\\/.test(named) ? 2 : 1
  return parts.slice(0, Math.max(0, parts.length - least + 1)).map((_, from) => parts.slice(from).join('/'))
}

function plainPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Finds pictures of an export by ends of their paths; one that fits two of them is neither. */
export class PicturePaths {
  readonly #paths = new Map<string, string | undefined>()

  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      const parts = path.split(/[/\\]/).filter(Boolean).slice(-MAX_PARTS)
      for (let from = 0; from < parts.length; from++) this.#add(parts.slice(from).join('/'), path)
    }
  }

  /** The path of a picture as a text names it. */
  find(named: string): string | undefined {
    for (const path of pathsWithin(named)) {
      const found = this.#paths.get(path)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Files that GitHub keeps for texts have an ending in an export alone. */
  #add(end: string, path: string): void {
    for (const one of new Set([end, end.replace(/\.\w+$/, '')])) {
      this.#paths.set(one, this.#paths.has(one) && this.#paths.get(one) !== path ? undefined : path)
    }
  }
}
