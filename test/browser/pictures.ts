// `npm run pictures`: the pictures of the README whose pages changed. With words after `--` pages as a person sees them: desktop and phone,
// light and dark, in `screenshots/`. `all` takes every page that axe checks, other words those whose names have one of them; `german` among them
// takes the pictures in German.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fill } from '../../src/demo/demo.ts'
import { furnish } from './instance.ts'
import { forAdmins, forAnybody } from './pages.ts'
import { takeReadmePictures } from './readme-pictures.ts'
import { loadImages, PASSWORD, type Site, visit, withSite } from './site.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')
/** A longer page is cut there, in px: what follows looks like what came before. */
const MAX_HEIGHT = 6_000
/** For one page: every picture counts, on a busy machine too. */
const MAX_MILLISECONDS = 120_000
const WIDTHS = { desktop: 1280, phone: 390 }

const asked = process.argv.slice(2)
const GERMAN = 'german'
const words = asked.filter((word) => word !== GERMAN && word !== 'all')
const [language, ending] = asked.includes(GERMAN) ? (['de', '-german'] as const) : (['en', ''] as const)
const isWanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word))

type Form = { screen: keyof typeof WIDTHS; scheme: 'light' | 'dark' }

/** Opens the pages one after the other and saves what they look like. Returns their number. */
async function takePictures(site: Site, { screen, scheme }: Form, admin: string): Promise<number> {
  let taken = 0
  for (const [pages, email] of [[forAnybody], [forAdmins, admin]] as const) {
    const { page, context, open } = await visit(site, { scheme, width: WIDTHS[screen], language })
    page.setDefaultTimeout(MAX_MILLISECONDS)
    if (email) await context.request.post('/api/auth/sign-in/email', { data: { email, password: PASSWORD } })
    for (const [name, path] of Object.entries(pages)) {
      if (!isWanted(name)) continue
      await open(path)
      await loadImages(page)
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      const clip = { x: 0, y: 0, width: WIDTHS[screen], height: Math.min(height, MAX_HEIGHT) }
      await page.screenshot({ path: join(FOLDER, `${name}-${screen}-${scheme}${ending}.png`), fullPage: true, clip })
      taken += 1
    }
    await context.close()
  }
  return taken
}

async function takeAll(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  await withSite(async (site) => {
    const { addresses } = await fill(site.world.dependencies, { now: Date.now(), password: PASSWORD })
    await furnish(site, addresses.admin)
    for (const scheme of ['light', 'dark'] as const) {
      const both = (['desktop', 'phone'] as const).map((screen) =>
        takePictures(site, { screen, scheme }, addresses.admin),
      )
      const taken = await Promise.all(both)
      console.log(`${scheme}: ${taken.join(' and ')} pictures, desktop and phone, in ${FOLDER}`)
    }
  })
}

if (asked.length > 0) await takeAll()
else {
  const taken = await takeReadmePictures()
  console.log(
    taken.length > 0
      ? `Taken again, because their pages changed: ${taken.join(', ')}`
      : 'The pictures of the README show their pages.',
  )
}
// The browser, which tests share until their end, goes with the process.
process.exit()
