// The head of every page in the looks of this server: its colours, its font, its icon, and where browsers find more of it.
import { paletteOf } from '../../../../src/config/colors.ts'
import { xml } from './atom.ts'
import type { Brand } from './share-picture.ts'

type Looks = App.Platform['looks']

/** What the first file of each font is called (lib/fonts); none is loaded for the font of the system. */
const FONT_FILES: Record<Looks['displayFont'], string> = {
  fraunces: '/fraunces-basic-',
  'source-serif': '/source-serif-4-basic-',
  'space-grotesk': '/space-grotesk-basic-',
  system: '/no-font/',
}

/** Which files of a page are asked for at once: of the fonts the one that its titles have. */
export const preloadOf =
  ({ displayFont }: Looks) =>
  ({ type, path }: { type: string; path: string }): boolean =>
    type === 'font' ? path.includes(FONT_FILES[displayFont]) : type === 'js' || type === 'css'

const FAMILIES: Record<Looks['displayFont'], string | undefined> = {
  fraunces: undefined,
  'source-serif': 'var(--font-source-serif)',
  'space-grotesk': 'var(--font-space-grotesk)',
  system: 'var(--font-text)',
}

/** The style of every page; undefined for that of the style sheet alone. */
export function cssOf({ style, displayFont }: Looks): string | undefined {
  const family = FAMILIES[displayFont]
  const css = [style, family && `:root{--font-display:${family}}`].filter(Boolean).join('')
  return css === '' ? undefined : css
}

/** The address of a picture of this server, which changes with the picture; of a preview the picture itself. */
export function pictureAddress({ pictures, isDraft }: Looks, name: keyof Looks['pictures']): string | undefined {
  const picture = pictures[name]
  if (!picture) return undefined
  return isDraft ? dataUrl(picture) : `/looks/${name}?v=${picture.version}`
}

const dataUrl = ({ contentType, bytes }: NonNullable<Looks['pictures']['logo']>) =>
  `data:${contentType};base64,${bytes.toString('base64')}`

/** The name, the colour and the logo of the server, for pictures that other sites show. */
export const brandOf = ({ site, chosen, pictures: { logo } }: Looks): Brand => ({
  site: site.name,
  accent: chosen.accent && paletteOf(chosen, 'light').accent,
  logo: logo && dataUrl(logo),
})

/** The policy of a preview: its pictures are in the page. */
export const withDraft = (policy: string, { isDraft }: Looks): string =>
  isDraft ? policy.replace("img-src 'self'", '$& data:') : policy

/** The head of app.html with the icon of this server, and its colours and names for browsers. */
export function withLooks(head: string, looks: Looks): string {
  const { pictures, grounds, site } = looks
  const icon =
    pictures.icon && `<link rel="icon" href="${pictureAddress(looks, 'icon')}" type="${pictures.icon.contentType}">`
  const themes = Object.entries(grounds).map(
    ([theme, color]) => `<meta name="theme-color" content="${color}" media="(prefers-color-scheme: ${theme})">`,
  )
  const more = [
    ...themes,
    '<link rel="manifest" href="/manifest.webmanifest">',
    `<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${xml(site.name)}">`,
  ].join('\n')
  return head.replace(/<link rel="icon"[^>]*>/, (usual) => icon ?? usual).replace('%guildhall.more%', () => more)
}
