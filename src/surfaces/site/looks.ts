// The looks of this server as its pages need them, read from the configuration at each request.
import { type Chosen, groundsOf, styleOf } from '../../config/colors.ts'
import type { Config } from '../../config/config.ts'
import type { Logo } from '../../config/logo.ts'
import { ownTextsOf } from '../../config/site-texts.ts'
import type { AddedLanguages } from '../../contract/languages.ts'
import { DEFAULT_NAME } from '../../language/named.ts'
import type { Site } from '../../language/words.ts'
import type { LiveSettings } from '../../settings/live-settings.ts'

/** The pictures of a server, by their names in addresses. */
export const pictureNames = ['logo', 'logo-dark', 'icon'] as const
type PictureName = (typeof pictureNames)[number]

export interface Looks extends Pick<Config, 'displayFont' | 'footerLinks' | 'ownPages' | 'navigation'> {
  /** The name and the texts that stand in the place of messages. */
  site: Site
  shortName: string
  chosen: Chosen
  /** CSS of the colours; undefined for those of the style sheet. */
  style: string | undefined
  /** The ground of pages, in each theme. */
  grounds: { light: string; dark: string }
  pictures: Readonly<Partial<Record<PictureName, Logo>>>
  isPoweredBy: boolean
  /** A preview: its pictures have no addresses yet. */
  isDraft?: true
}

/** Pages hand on the site with their data: the many messages of added languages stay out of data that is sent. */
const siteOf = (site: Site, languages: AddedLanguages): Site =>
  Object.defineProperty(site, 'languages', { value: languages, enumerable: false })

export function looksOf(config: Config): Looks {
  const { name, languages, shortName = name, accent, neutral, logo, logoDark, icon = logo } = config
  const { homeTexts, partWords, displayFont, footerLinks, ownPages, navigation } = config
  const chosen = { accent, neutral }
  return {
    site: siteOf({ name, texts: ownTextsOf(homeTexts, partWords) }, languages),
    ...{ shortName, chosen, displayFont, footerLinks, ownPages, navigation },
    style: styleOf(chosen),
    grounds: groundsOf(chosen),
    pictures: {
      ...(logo && { logo }),
      ...(logoDark && { 'logo-dark': logoDark }),
      ...(icon && { icon }),
    },
    isPoweredBy: config.poweredBy && name !== DEFAULT_NAME,
  }
}

/** The looks that settings would have after changes, for a preview: null is the default. */
export function draftLooks(settings: LiveSettings, changes: Readonly<Record<string, string | null>>): Looks {
  return { ...looksOf({ ...settings.config, ...settings.configAfter(changes) }), isDraft: true }
}
