// Settings of what the server calls itself, of its looks, and of the texts on its pages.
import { z } from 'zod'
import { DEFAULT_NAME } from '../language/named.ts'
import { LOGO_EXPECTED, parseLogo } from './logo.ts'
import { footerLinks, homeTexts, navigationOf, ownPages, partWords, textLimits } from './site-texts.ts'
import { about, ON_OR_OFF, onOrOff, parsedBy } from './values.ts'

const name = (most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}<>"\\\\]{1,${most}}$`, 'u'),
      `a name of 1 to ${most} characters without quotes and angle brackets`,
    )
const color = () => z.string().regex(/^#[0-9a-f]{6}$/i, 'a colour such as #b4552d')
const logo = () => parsedBy(parseLogo, LOGO_EXPECTED)

/** Fonts that come with the site (site/src/lib/fonts), and that of the reader's system. */
export const displayFonts = ['fraunces', 'source-serif', 'space-grotesk', 'system'] as const

export const looksSettings = {
  SITE_NAME: name(textLimits.siteName).register(about, {
    default: DEFAULT_NAME,
    live: 'community',
    description: 'what the site calls itself: on pages, in mail and feeds, and to programs',
  }),
  SHORT_NAME: name(textLimits.shortName).optional().register(about, {
    missing: '`SITE_NAME`',
    live: 'community',
    description: 'the name where there is little room: under an icon, and in a list of search engines',
  }),
  ACCENT: color().optional().register(about, {
    missing: 'copper',
    live: 'looks',
    input: 'colour',
    description: "the colour of the site's buttons and votes, such as `#2b6cb0`",
  }),
  NEUTRAL: color().optional().register(about, {
    missing: 'a warm grey',
    live: 'looks',
    input: 'colour',
    description:
      'the colour that grounds, texts and lines are tinted with, such as `#64748b`; one that cannot be read is refused',
  }),
  LOGO: logo().optional().register(about, {
    missing: 'a house',
    live: 'looks',
    input: 'lines',
    description:
      'the picture beside the name, as a data URL: an SVG, of which shapes and colours stay, or a PNG, of at most 64 kB',
  }),
  LOGO_DARK: logo()
    .optional()
    .register(about, { missing: '`LOGO`', live: 'looks', input: 'lines', description: 'the same on dark pages' }),
  ICON: logo().optional().register(about, {
    missing: '`LOGO`, or a house',
    live: 'looks',
    input: 'lines',
    description: 'the icon of tabs and of the installed site, square',
  }),
  DISPLAY_FONT: z.enum(displayFonts, `one of ${displayFonts.join(', ')}`).register(about, {
    default: 'fraunces',
    live: 'looks',
    choices: displayFonts,
    input: 'choice',
    description: `the font of titles: ${displayFonts.map((one) => `\`${one}\``).join(', ')}`,
  }),
  HOME_TEXTS: homeTexts.register(about, {
    default: '{}',
    missing: 'those of the product',
    live: 'looks',
    input: 'lines',
    description:
      'texts of the first page, as JSON: `title`, `text`, `description` and `tagline`, each one text or one for each language',
  }),
  FOOTER_LINKS: footerLinks.register(about, {
    default: '[]',
    missing: 'none',
    live: 'looks',
    input: 'lines',
    description: 'links at the end of every page: `[{"label": "Imprint", "url": "/pages/imprint"}]`',
  }),
  OWN_PAGES: ownPages.register(about, {
    default: '[]',
    missing: 'none',
    live: 'looks',
    input: 'lines',
    description:
      'pages of your own at `/pages/<slug>`: `[{"slug": "imprint", "title": "Imprint", "body": "Markdown"}]`',
  }),
  NAVIGATION: navigationOf.register(about, {
    default: '{}',
    missing: 'all parts',
    live: 'looks',
    input: 'lines',
    description:
      'what the navigation shows: `{"first": ["/library"], "hidden": ["/blog"], "links": [{"label": "Shop", "url": "https://shop.example"}]}`',
  }),
  PART_WORDS: partWords.register(about, {
    default: '{}',
    missing: 'those of the product',
    live: 'looks',
    input: 'lines',
    description:
      'words for the parts: `{"feature": {"one": "Idea", "many": "Ideas"}}`, each one text or one for each language',
  }),
  POWERED_BY: onOrOff().register(about, {
    default: 'on',
    live: 'looks',
    choices: ON_OR_OFF,
    input: 'choice',
    description: 'whether the pages of a server of another name say what software runs it',
  }),
}
