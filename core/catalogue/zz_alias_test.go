package catalogue_test
import ("github.com/vitrine-crm/vitrine/core/product";"github.com/vitrine-crm/vitrine/core/criteria")
type criteriaCondition = criteria.Condition
type productFilter = product.Filter
