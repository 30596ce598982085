// Resolves when the table has stopped growing: the portal fills it in portions of twenty rows.
export default async function waitForTable({ document }) {
  const rows = () => document.querySelectorAll('table#invoices tbody tr').length
  let before = -1
  while (before !== rows()) {
    before = rows()
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
}
