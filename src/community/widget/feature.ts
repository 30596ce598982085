// The widget on other sites, as a feature of the application.
import type { ItemsSeen } from '../../content/about/about.ts'
import type { Feature } from '../../content/manifest.ts'
import { lazily } from '../../request/lazily.ts'
import { bugsFeature } from '../bugs/feature.ts'
import { widget } from './contract.ts'

export const widgetFeature = {
  handlers: (services: { items: ItemsSeen }) => ({
    widget: lazily(widget, async () =>
      (await import('./handlers.ts')).widgetHandlers(bugsFeature.handlers(services).bugs.create),
    ),
  }),
} satisfies Feature
