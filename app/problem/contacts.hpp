// SPDX-License-Identifier: MIT
// Thermal resistances between materials: on the cells of a box, and the area that each has.
#pragma once

#include "app/problem/field_sampler.hpp"

#include <memory>
#include <string>
#include <vector>

namespace halotherm::app {

/// Whether some faces may have a resistance above 0. One of 0 changes nothing.
bool has_resistances(const Config& config);

/// The resistances above 0 between the cells of a box. `materials`: of each cell, indices into
/// Config::materials or `void_owner`.
solver::Contacts contacts_of(const Config& config, const std::shared_ptr<const Owners>& materials);

/// The faces between the two materials of a contact, all ranks together.
struct ContactCount {
  std::string between;    ///< "silicon, copper"
  double resistance = 0;  ///< [m² K/W]
  bool touches = false;   ///< whether there is one
  double area = 0;        ///< [m²]; a grid is 1 m thick along axes that it does not have
};
struct ContactCensus {
  std::vector<ContactCount> contacts;
  double counted = 1;  ///< share of the grid's cells
};

/// Collective. Counts piece by piece, as count_regions, and stops after `budget` [s]. Areas do not
/// depend on the partition. Throws CollectiveError.
ContactCensus count_contacts(const FieldSampler& sampler, const Config& config,
                             const comm::Box& owned, double budget);

/// Collective. Throws CollectiveError (usage) if the materials of a contact have no face in common.
void refuse_contacts_apart(const FieldSampler& sampler, const Config& config,
                           const comm::Box& owned, double budget);

/// The table that `check` prints; "" if there are no contacts.
std::string to_string(const ContactCensus& census);

}  // namespace halotherm::app
