#pragma once
// The shape of a SkillResult.

#include "skills/result/shape.hpp"

namespace clawperator::skills {

const Shape& skill_result_shape();

}  // namespace clawperator::skills
